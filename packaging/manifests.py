"""What the shops of Windows (winget) and macOS (Homebrew) are told, and the sums of all files.

Both name files of a release by address and SHA-256; those come from the files' list of sums, so
that what a shop installs is what was built. Forms: the schemas of winget's manifests, version 1.10,
and Homebrew's "Cask Cookbook".
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import contents
from frozen import PackageError, say

SUMS: Final = "SHA256SUMS"
_WINGET_ID: Final = "WinnowSearch.Winnow"
_WINGET_VERSION: Final = "1.10.0"
_PUBLISHER: Final = "The Winnow authors"
# Where the installer of Windows notes what it has installed, below Uninstall of the registry.
_PRODUCT_CODE: Final = contents.TITLE


def main(arguments: Sequence[str] | None = None) -> int:
    """Sum up the files of a release in the folder named, and write what the shops are told.

    Raises:
        PackageError: what they are to be told of is not there.
    """
    parser = argparse.ArgumentParser(prog="manifests.py", description="Sum up a release.")
    parser.add_argument("folder", type=Path, help="with all files of the release")
    folder: Path = parser.parse_args(arguments).folder
    if not folder.is_dir():
        raise PackageError(f"There is no folder {folder}: name the one with a release's files.")
    for path in (write_sums(folder), *write(folder)):
        say(str(path))
    return 0


def write_sums(folder: Path) -> Path:
    """Write the SHA-256 of each file in a folder, as `sha256sum --check` reads them."""
    lines = []
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name != SUMS:
            with path.open("rb") as file:
                lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    written = folder / SUMS
    written.write_text("".join(lines), encoding="utf-8")
    return written


def read_sums(path: Path) -> dict[str, str]:
    """Return the SHA-256 of each file by its name.

    Raises:
        PackageError: there is no list, or a line is none of it.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError as error:
        raise PackageError(f"There is no {path}: sum up what was built first.") from error
    sums = {}
    for line in text.splitlines():
        match = re.fullmatch(r"([0-9a-f]{64}) [ *](\S+)", line)
        if match is None:
            raise PackageError(f"{path} has a line that is no sum: {line}")
        sums[match[2]] = match[1]
    return sums


def write(folder: Path) -> list[Path]:
    """Write the manifests for what lies in the folder of a release, into `manifests` in it.

    Raises:
        PackageError: the folder has not what they name.
    """
    texts = manifests(contents.version(), read_sums(folder / SUMS))
    written = []
    for name, text in texts.items():
        path = folder / "manifests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
    return written


def manifests(version: str, sums: Mapping[str, str]) -> dict[str, str]:
    """Return the text of each manifest by its path, as the shops' own repositories lay them out.

    Raises:
        PackageError: a file is not among the sums.
    """
    place = f"winget/manifests/w/{_WINGET_ID.replace('.', '/')}/{version}/{_WINGET_ID}"
    return {
        f"{place}.yaml": _winget_version(version),
        f"{place}.installer.yaml": _winget_installer(version, sums),
        f"{place}.locale.en-US.yaml": _winget_locale(version),
        "homebrew/Casks/w/winnow.rb": _cask(version, sums),
    }


def address(version: str, name: str) -> str:
    """Return where a file of a release is downloaded from."""
    return f"{contents.HOMEPAGE}/releases/download/v{version}/{name}"


def _sum_of(sums: Mapping[str, str], name: str) -> str:
    if name not in sums:
        raise PackageError(f"{SUMS} does not name {name}: build it first, and sum up again.")
    return sums[name]


def _winget(kind: str, version: str, lines: str) -> str:
    schema = f"https://aka.ms/winget-manifest.{kind}.{_WINGET_VERSION}.schema.json"
    return f"""# yaml-language-server: $schema={schema}

PackageIdentifier: {_WINGET_ID}
PackageVersion: {version}
{lines}ManifestType: {kind}
ManifestVersion: {_WINGET_VERSION}
"""


def _winget_version(version: str) -> str:
    return _winget("version", version, "DefaultLocale: en-US\n")


def _winget_installer(version: str, sums: Mapping[str, str]) -> str:
    name = f"{contents.NAME}-{version}-windows.exe"
    lines = f"""Platform:
- Windows.Desktop
MinimumOSVersion: 10.0.17763.0
InstallerType: nullsoft
Scope: user
InstallModes:
- interactive
- silent
UpgradeBehavior: install
ProductCode: {_PRODUCT_CODE}
Installers:
- Architecture: x64
  InstallerUrl: {address(version, name)}
  InstallerSha256: {_sum_of(sums, name).upper()}
"""
    return _winget("installer", version, lines)


def _winget_locale(version: str) -> str:
    lines = f"""PackageLocale: en-US
Publisher: {_PUBLISHER}
PublisherUrl: {contents.HOMEPAGE}
PublisherSupportUrl: {contents.HOMEPAGE}/issues
PackageName: {contents.TITLE}
PackageUrl: {contents.HOMEPAGE}
License: Apache-2.0
LicenseUrl: {contents.HOMEPAGE}/blob/v{version}/LICENSE
ShortDescription: {contents.SUMMARY}
Moniker: {contents.NAME}
Tags:
- documents
- full-text-search
- offline
- search
- semantic-search
ReleaseNotesUrl: {contents.HOMEPAGE}/releases/tag/v{version}
"""
    return _winget("defaultLocale", version, lines)


def _cask(version: str, sums: Mapping[str, str]) -> str:
    name = f"{contents.NAME}-{version}-macos"
    arm = _sum_of(sums, f"{name}-arm64.dmg")
    intel = _sum_of(sums, f"{name}-x86_64.dmg")
    file = f"{contents.NAME}-#{{version}}-macos-#{{arch}}.dmg"
    return f"""cask "{contents.NAME}" do
  arch arm: "arm64", intel: "x86_64"

  version "{version}"
  sha256 arm:   "{arm}",
         intel: "{intel}"

  url "{contents.HOMEPAGE}/releases/download/v#{{version}}/{file}"
  name "{contents.TITLE}"
  desc "{contents.SUMMARY}"
  homepage "{contents.HOMEPAGE}"

  livecheck do
    url :url
    strategy :github_latest
  end

  depends_on macos: ">= :ventura"

  app "{contents.TITLE}.app"
  binary "#{{appdir}}/{contents.TITLE}.app/Contents/MacOS/{contents.NAME}"

  zap trash: [
    "~/Library/Application Support/{contents.NAME}",
    "~/Library/Caches/{contents.NAME}",
  ]
end
"""


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PackageError as problem:
        sys.exit(str(problem))
