"""How Sphinx builds the guide: offline pages that load nothing from anywhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import from_code  # noqa: E402

import core  # noqa: E402 - the folder with it is known from here on

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Winnow"
project_copyright = "The Winnow authors"
version = release = core.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nitpick_ignore_regex = [("py:.*", ".*")]  # Python's own names are explained elsewhere
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
add_module_names = False
toc_object_entries_show_parents = "hide"
python_display_short_literal_types = True
python_maximum_signature_line_length = 80

smartquotes = False  # options begin with two dashes, and quotes are typed
default_role = "code"  # as docstrings mean it

html_theme = "furo"
html_title = f"Winnow {version}"
html_static_path = ["_static"]
html_css_files = ["guide.css"]
html_copy_source = False
html_show_sphinx = False
html_permalinks_icon = "#"
# A page that is opened from the disk may not fetch another one.
html_show_search_summary = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#3d5a80", "color-brand-content": "#3d5a80"},
    "dark_css_variables": {"color-brand-primary": "#9ebbe0", "color-brand-content": "#9ebbe0"},
}


def put_dashes(_app: Sphinx, page: nodes.document, _name: str) -> None:
    """Put a dash between a parameter and what is said of it, where Sphinx leaves two hyphens."""
    for text in list(page.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def setup(app: Sphinx) -> None:
    """Have the tables filled in that are made of the code."""
    app.connect("source-read", from_code.fill_in)
    app.connect("doctree-resolved", put_dashes)
