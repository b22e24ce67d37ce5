"""Integration with Linux desktops: menu entries, search providers, icons, AppStream metadata."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import contents

from core import APP_ID

ICON_SIZES: Final = (16, 24, 32, 48, 64, 128, 256)
_ICON: Final = contents.ROOT / "resources" / "icons" / "winnow.svg"
_PICTURES: Final = "https://raw.githubusercontent.com/winnow-search/winnow/main/docs/pictures"
_SHOWN: Final = {
    "results-light.png": "A question, the passages that answer it, and why",
    "results-dark.png": "The dark theme",
    "filters.png": "Results filtered by type, day and folder",
    "add-folder.png": "Preview of the files to index before adding a folder",
}
"""Screenshots for software centers, from docs/pictures, with their captions."""

_ENTRY: Final = f"""[Desktop Entry]
Type=Application
Name={contents.TITLE}
GenericName=Document Search
GenericName[de]=Dokumentensuche
Comment={contents.SUMMARY}
Comment[de]=Durchsucht die eigenen Ordner nach Sinn und Wort, ohne Netz
Exec=winnow %u
Icon={APP_ID}
Terminal=false
Categories=Utility;
MimeType=x-scheme-handler/winnow;
Keywords=search;find;documents;files;PDF;full text;
StartupNotify=true
"""
# For file managers, which pass a folder; hidden from the menu.
_FOLDER_ENTRY: Final = f"""[Desktop Entry]
Type=Application
Name=Search with {contents.TITLE}
Name[de]=Mit {contents.TITLE} durchsuchen
Comment={contents.SUMMARY}
Exec=winnow --in %f
Icon={APP_ID}
Terminal=false
NoDisplay=true
MimeType=inode/directory;
StartupNotify=true
"""


def write(share: Path, date: int, command: Path) -> None:
    """Write all integration files below `share`; D-Bus starts the program by the path `command`."""
    entries = share / "applications"
    entries.mkdir(parents=True)
    (entries / f"{APP_ID}.desktop").write_text(_ENTRY, encoding="utf-8")
    (entries / f"{APP_ID}.folder.desktop").write_text(_FOLDER_ENTRY, encoding="utf-8")
    write_search(share, command)
    write_menus(share)
    about = share / "metainfo"
    about.mkdir()
    (about / f"{APP_ID}.metainfo.xml").write_text(metainfo(date), encoding="utf-8")
    icons = share / "icons" / "hicolor"
    (icons / "scalable" / "apps").mkdir(parents=True)
    (icons / "scalable" / "apps" / f"{APP_ID}.svg").write_bytes(_ICON.read_bytes())
    for size in ICON_SIZES:
        folder = icons / f"{size}x{size}" / "apps"
        folder.mkdir(parents=True)
        draw(folder / f"{APP_ID}.png", size)


def write_search(share: Path, command: Path) -> None:
    """Write the search providers of GNOME Shell and KRunner, and the D-Bus service."""
    from app.desktop import search_service as service

    files = {
        f"dbus-1/services/{service.NAME}.service": f"""[D-BUS Service]
Name={service.NAME}
Exec={command} {service.COMMAND}
""",
        f"gnome-shell/search-providers/{service.NAME}.ini": f"""[Shell Search Provider]
DesktopId={APP_ID}.desktop
BusName={service.NAME}
ObjectPath={service.GNOME_PATH}
Version=2
""",
        # Chinese words often have two characters.
        f"krunner/dbusplugins/{APP_ID}.desktop": f"""[Desktop Entry]
Type=Service
Name={contents.TITLE}
Comment={contents.SUMMARY}
Comment[de]=Durchsucht die eigenen Ordner nach Sinn und Wort, ohne Netz
Icon={APP_ID}
X-KDE-ServiceTypes=Plasma/Runner
X-KDE-PluginInfo-Name={contents.NAME}
X-KDE-PluginInfo-License=Apache-2.0
X-KDE-PluginInfo-EnabledByDefault=true
X-Plasma-API=DBus
X-Plasma-DBusRunner-Service={service.NAME}
X-Plasma-DBusRunner-Path={service.KRUNNER_PATH}
X-Plasma-Request-Actions-Once=true
X-Plasma-Runner-Min-Letter-Count=2
""",
    }
    for place, text in files.items():
        path = share / place
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")


_SEARCH_HERE: Final = f"""Name=Search here with {contents.TITLE}
Name[de]=Hier mit {contents.TITLE} suchen
Name[zh_CN]=用 {contents.TITLE} 在此搜索
"""


def _nemo_action(selection: str, extensions: str, folder: str) -> str:
    return f"""[Nemo Action]
{_SEARCH_HERE}Comment={contents.SUMMARY}
Exec=winnow --in {folder}
Icon-Name={APP_ID}
Selection={selection}
Extensions={extensions};
Quote=double
Dependencies=winnow;
"""


# Context menu entries of file managers, for a selected folder and for the open one.
_MENUS: Final = {
    "kio/servicemenus/winnow-search.desktop": f"""[Desktop Entry]
Type=Service
MimeType=inode/directory;
Actions=search;
X-KDE-Priority=TopLevel

[Desktop Action search]
{_SEARCH_HERE}Icon={APP_ID}
Exec=winnow --in %f
""",
    "nemo/actions/winnow-search.nemo_action": _nemo_action("s", "dir", "%F"),
    "nemo/actions/winnow-search-open.nemo_action": _nemo_action("none", "any", "%P"),
}


def write_menus(share: Path) -> None:
    """Write the context menu entries of Dolphin and Nemo; others use the desktop entry."""
    for place, text in _MENUS.items():
        path = share / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def metainfo(date: int) -> str:
    """Return the AppStream metadata, including the list of supported formats."""
    from core.documents.formats import FORMATS

    day = dt.datetime.fromtimestamp(date, dt.UTC).date().isoformat()
    names = dict.fromkeys(format_.name for format_ in FORMATS)
    formats = "".join(f"\n      <li>{escape(name)}</li>" for name in names)
    pictures = "".join(
        f"""
    <screenshot{' type="default"' if place == 0 else ""}>
      <caption>{escape(caption)}</caption>
      <image>{_PICTURES}/{name}</image>
    </screenshot>"""
        for place, (name, caption) in enumerate(_SHOWN.items())
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>{APP_ID}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>Apache-2.0</project_license>
  <name>{contents.TITLE}</name>
  <summary>{escape(contents.SUMMARY)}</summary>
  <description>
    <p>
      Point Winnow at your folders: it indexes documents in place, keeps the index up to date, and
      answers queries with ranked passages. The words that made a match are highlighted on the page
      itself. The model and the search engine are included, and nothing leaves your computer.
    </p>
    <p>Supported formats:</p>
    <ul>{formats}
    </ul>
  </description>
  <launchable type="desktop-id">{APP_ID}.desktop</launchable>
  <url type="homepage">{contents.HOMEPAGE}</url>
  <url type="bugtracker">{contents.HOMEPAGE}/issues</url>
  <developer id="io.github.winnow_search">
    <name>The Winnow authors</name>
  </developer>
  <screenshots>{pictures}
  </screenshots>
  <content_rating type="oars-1.1"/>
  <provides>
    <binary>winnow</binary>
    <dbus type="session">{APP_ID}.SearchProvider</dbus>
  </provides>
  <releases>
    <release version="{contents.version()}" date="{day}"/>
  </releases>
</component>
"""


def draw(path: Path, size: int) -> None:
    """Render the icon at `size` pixels, in the format of the file's suffix."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(_ICON)).render(painter)
    painter.end()
    if not image.save(str(path)):
        raise OSError(f"{path} could not be written")


def draw_for_system(path: Path) -> None:
    """Render the icon in all sizes as .ico (Windows) or .icns (macOS)."""
    from PIL import Image

    large = path.with_suffix(".png")
    draw(large, 1024 if path.suffix == ".icns" else 256)
    with Image.open(large) as image:
        image.save(path)
    large.unlink()
