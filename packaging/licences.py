"""Third-party components of a package, and a check of their licences.

Each frozen file is traced to a Python package, a library inside a wheel, or a Debian package.
Unknown and incompatible licences fail the build: docs/dependencies.md.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, Final

import contents
from frozen import PackageError, run

ALLOWED: Final = frozenset(
    [
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "FTL",
        "HPND",
        "IJG",
        "ISC",
        "LGPL-2.1-or-later",
        "LGPL-3.0-only",
        "MIT",
        "MIT-0",
        "MIT-CMU",
        "MPL-2.0",
        "PSF-2.0",
        "Python-2.0.1",
        "Unicode-3.0",
        "Zlib",
        "blessing",
        "bzip2-1.0.6",
        "libpng-2.0",
        "libtiff",
    ]
)
ALLOWED_EXCEPTIONS: Final = frozenset(
    {
        "Apache-2.0 WITH LLVM-exception",
        # Exceptions for programs that link with the component.
        "GPL-2.0-or-later WITH Bootloader-exception",
        "GPL-3.0-or-later WITH GCC-exception-3.1",
    }
)
_TEXT_NAMES: Final = re.compile(r"licen[cs]e|copying|notice|authors", re.IGNORECASE)
_COPYRIGHT: Final = re.compile(r"^\W*(Copyright\b.*\d{4}.*)$", re.MULTILINE | re.IGNORECASE)


@dataclass
class Component:
    """A third-party component of the package.

    Attributes:
        name: name and version.
        licence: an SPDX expression.
        home: URL of its source.
        texts: files with the licence and notices.
        files: number of its files in the package.
    """

    name: str
    licence: str
    home: str
    texts: list[Path] = field(default_factory=list)
    files: int = 0

    def copyrights(self) -> list[str]:
        """Return the distinct copyright lines of the texts."""
        lines: dict[str, None] = {}
        for path in self.texts:
            for line in _COPYRIGHT.findall(_text(path)):
                lines[" ".join(line.split()).rstrip("*/ ")] = None
        return list(lines)


def components(
    entries: Sequence[contents.Entry], packages: Path, table: dict[str, Any] | None = None
) -> list[Component]:
    """Return the components of the files, sorted by name.

    Args:
        entries: the files of the frozen program.
        packages: the site-packages of the build environment.
        table: replaces licences.toml.

    Raises:
        PackageError: a licence is unknown or does not allow redistribution.
    """
    known = table or tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    owners = _Owners(packages, known)
    for _destination, source, kind in entries:
        # The target of a link is listed as well; namespace packages have no file.
        if kind != "SYMLINK" and source and source != "-":
            owners.count(Path(source))
    owners.add(owners.bootloader())
    refused = [
        f"{one.name}: {one.licence or 'unknown'}"
        for one in owners.found()
        if not is_allowed(one.licence)
    ]
    problems = [*owners.unknown, *refused]
    if problems:
        raise PackageError(
            "These cannot be redistributed (see packaging/licences.toml):\n"
            + "\n".join(sorted(problems))
        )
    return owners.found()


def is_allowed(expression: str) -> bool:
    """Return whether an SPDX expression allows redistribution with Winnow.

    >>> is_allowed("LGPL-3.0-only OR GPL-2.0-only"), is_allowed("MIT AND (Zlib OR GPL-3.0-only)")
    (True, True)
    >>> is_allowed("GPL-3.0-only"), is_allowed("MIT AND GPL-3.0-only"), is_allowed("")
    (False, False, False)
    """
    tokens = re.findall(r"[()]|[^\s()]+", expression)
    if not tokens:
        return False
    allowed, rest = _parse_or(tokens)
    return allowed and not rest


def _parse_or(tokens: list[str]) -> tuple[bool, list[str]]:
    allowed, tokens = _parse_and(tokens)
    while tokens[:1] == ["OR"]:
        other, tokens = _parse_and(tokens[1:])
        allowed = allowed or other
    return allowed, tokens


def _parse_and(tokens: list[str]) -> tuple[bool, list[str]]:
    allowed, tokens = _parse_operand(tokens)
    while tokens[:1] == ["AND"]:
        other, tokens = _parse_operand(tokens[1:])
        allowed = allowed and other
    return allowed, tokens


def _parse_operand(tokens: list[str]) -> tuple[bool, list[str]]:
    if not tokens:
        return False, []
    if tokens[0] == "(":
        allowed, rest = _parse_or(tokens[1:])
        return allowed and rest[:1] == [")"], rest[1:]
    if tokens[1:2] == ["WITH"]:
        return " ".join(tokens[:3]) in ALLOWED_EXCEPTIONS, tokens[3:]
    return tokens[0] in ALLOWED, tokens[1:]


class _Owners:
    """Finds the component that a file belongs to."""

    def __init__(self, packages: Path, table: dict[str, Any]) -> None:
        self.unknown: list[str] = []
        self._packages = packages
        self._table = table
        self._found: dict[str, Component] = {}
        self._owner_of: dict[Path, Distribution] = {}
        self._all = {
            found.metadata["Name"].lower(): found for found in distributions(path=[str(packages)])
        }
        for distribution in self._all.values():
            for file in distribution.files or ():
                self._owner_of[packages / file] = distribution

    def found(self) -> list[Component]:
        return sorted(self._found.values(), key=lambda component: component.name.lower())

    def add(self, component: Component) -> None:
        self._found.setdefault(component.name, component).files += 1

    def count(self, source: Path) -> None:
        """Add a file to its component."""
        component = self._owner_component(source)
        if component is None:
            self.unknown.append(f"{source}: unknown owner")
        else:
            self.add(component)

    def bootloader(self) -> Component:
        return self._from_distribution(self._all["pyinstaller"])

    def _owner_component(self, source: Path) -> Component | None:
        if source.is_relative_to(self._packages):
            distribution = self._owner_of.get(source)
            library = self._library(source.name)
            if library is not None:
                return library
            if distribution is None or source.parent.suffix == ".libs":
                return None
            return self._from_distribution(distribution)
        if source.is_relative_to(contents.ROOT):
            return Component("Winnow", "Apache-2.0", "", [contents.ROOT / "LICENSE"])
        if source.is_relative_to(sys.base_prefix) and not contents.is_system_library(str(source)):
            return _python()
        return self._from_debian(source)

    def _library(self, name: str) -> Component | None:
        for one in self._table["libraries"]:
            if any(fnmatch(name, pattern) for pattern in _expand_braces(one["files"])):
                return Component(one["name"], one["licence"], one["home"])
        return None

    def _from_distribution(self, distribution: Distribution) -> Component:
        metadata = distribution.metadata
        name = metadata["Name"]
        licence = self._table["packages"].get(name.lower().replace("_", "-"))
        # From Python 3.12 on, reading a missing key raises KeyError.
        declared = (metadata[key] for key in ("License-Expression", "License") if key in metadata)
        licence = licence or next(filter(None, declared), "")
        texts = [
            Path(str(distribution.locate_file(file)))
            for file in distribution.files or ()
            if ".dist-info" in file.parts[0] and _TEXT_NAMES.search("/".join(file.parts[1:]))
        ]
        home = f"https://pypi.org/project/{name}/{distribution.version}/"
        return Component(f"{name} {distribution.version}", licence, home, texts)

    def _from_debian(self, source: Path) -> Component | None:
        # dpkg may list files by their paths before /lib became a link to /usr/lib.
        real = source.resolve()
        listed = [real, Path("/") / real.relative_to("/usr")] if real.is_relative_to("/usr") else []
        query = subprocess.run(["dpkg", "-S", *listed], capture_output=True, text=True, check=False)
        if not query.stdout:
            return None
        package = query.stdout.partition(":")[0]
        version = run(["dpkg-query", "--show", "--showformat=${Version}", package], quiet=True)
        licence = self._table["debian"].get(package, "")
        texts = [Path("/usr/share/doc") / package / "copyright"]
        home = f"https://packages.debian.org/source/{package}"
        return Component(f"{package} {version} (Debian)", licence, home, texts)


def _python() -> Component:
    import platform
    import sysconfig

    text = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    name, texts = f"Python {platform.python_version()}", [text] if text.is_file() else []
    return Component(name, "Python-2.0.1", "https://www.python.org/", texts)


def _expand_braces(pattern: str) -> list[str]:
    """Expand the braces of a pattern.

    >>> _expand_braces("lib{ssl,crypto}-*")
    ['libssl-*', 'libcrypto-*']
    """
    match = re.fullmatch(r"(.*)\{(.*)\}(.*)", pattern)
    if match is None:
        return [pattern]
    before, middle, after = match.groups()
    return [f"{before}{one}{after}" for one in middle.split(",")]


def write(components: Sequence[Component], folder: Path) -> None:
    """Write the components' licences and notices to `folder`, and an overview."""
    folder.mkdir(parents=True, exist_ok=True)
    for component in components:
        for path in component.texts:
            subfolder = folder / re.sub(r"[^\w.-]+", "-", component.name)
            subfolder.mkdir(exist_ok=True)
            (subfolder / _text_name(path)).write_text(_text(path), encoding="utf-8")
    (folder / "COMPONENTS.txt").write_text(overview(components), encoding="utf-8")


def _text(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _text_name(path: Path) -> str:
    """Return a unique file name for a text, from its path below .dist-info."""
    parts = path.parts
    start = next((place + 1 for place, part in enumerate(parts) if part.endswith(".dist-info")), -1)
    return "-".join(parts[start:])


def overview(components: Sequence[Component]) -> str:
    """Return the list of components as text, used as `debian/copyright` too."""
    lines = [
        "Winnow is distributed under the Apache License, version 2.0.",
        "",
        "This package includes third-party components, each under its own licence. The licences",
        "and notices are in the folder `licenses` next to the libraries. Components under",
        "the LGPL are unmodified, separate files and can be replaced; the URL of their source is",
        "listed with each.",
    ]
    for component in components:
        lines += ["", component.name, f"  Licence: {component.licence}"]
        if component.home:
            lines.append(f"  Source: {component.home}")
        lines += [f"  {line}" for line in component.copyrights()[:4]]
    return "\n".join(lines) + "\n"
