"""An HTML page with all screenshots of the tour."""

from __future__ import annotations

from html import escape
from pathlib import Path

_HEAD = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Winnow: the tour</title>
<style>
body { font: 14px sans-serif; margin: 24px; background: #f5f6f8; color: #1c2026; }
table { border-collapse: separate; border-spacing: 14px; }
th { text-align: left; vertical-align: top; white-space: nowrap; }
img { width: 420px; border: 1px solid #c8ccd4; display: block; }
</style>
<h1>Winnow: the tour</h1>
"""


def write_gallery(pictures: Path) -> Path:
    """Write a page of all pictures below a folder, a row per screen, and return its path."""
    variants = sorted(path for path in pictures.iterdir() if path.is_dir())
    screens = sorted({path.stem for variant in variants for path in variant.glob("*.png")})
    head = "".join(f"<th>{escape(variant.name)}</th>" for variant in variants)
    rows = [f"<tr><th></th>{head}</tr>"]
    for screen in screens:
        cells = "".join(_cell(variant / f"{screen}.png", pictures) for variant in variants)
        rows.append(f"<tr><th>{escape(screen)}</th>{cells}</tr>")
    page = pictures / "index.html"
    page.write_text(f"{_HEAD}<table>\n{chr(10).join(rows)}\n</table>\n</html>\n", encoding="utf-8")
    return page


def _cell(picture: Path, pictures: Path) -> str:
    if not picture.exists():
        return "<td>–</td>"
    place = escape(picture.relative_to(pictures).as_posix(), quote=True)
    return f'<td><a href="{place}"><img src="{place}" alt="" loading="lazy"></a></td>'
