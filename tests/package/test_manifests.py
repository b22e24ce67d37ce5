"""What shops are told of a release, and the sums of its files."""

from __future__ import annotations

import hashlib
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import core

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
try:
    appimage, flatpaks, frozen, manifests, package = (
        importlib.import_module(name)
        for name in ("appimage", "flatpaks", "frozen", "manifests", "package")
    )
finally:
    sys.path.remove(str(ROOT / "packaging"))

VERSION = core.__version__
NAMES = (
    f"winnow-{VERSION}-windows.exe",
    f"winnow-{VERSION}-macos-arm64.dmg",
    f"winnow-{VERSION}-macos-x86_64.dmg",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of a release."""
    for name in NAMES:
        (tmp_path / name).write_bytes(name.encode())
    return tmp_path


def digest_of(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def test_sums_are_those_that_sha256sum_checks(folder: Path) -> None:
    written = manifests.write_sums(folder)
    manifests.write_sums(folder)
    assert manifests.read_sums(written) == {name: digest_of(name) for name in NAMES}
    if shutil.which("sha256sum") is None:
        pytest.skip("sha256sum is not installed: the list was read by us alone")
    subprocess.run(["sha256sum", "--check", written.name], cwd=folder, check=True)


def test_a_release_is_described_to_each_shop(folder: Path) -> None:
    assert package.main(["--release", str(folder)]) == 0
    place = (
        folder / "manifests" / "winget" / "manifests" / "w" / "WinnowSearch" / "Winnow" / VERSION
    )
    said = {path.name: path.read_text("utf-8") for path in place.iterdir()}
    assert sorted(said) == [
        "WinnowSearch.Winnow.installer.yaml",
        "WinnowSearch.Winnow.locale.en-US.yaml",
        "WinnowSearch.Winnow.yaml",
    ]
    for text in said.values():
        fields = dict(re.findall(r"^(\w+): (.+)$", text, re.MULTILINE))
        assert fields["PackageIdentifier"] == "WinnowSearch.Winnow"
        assert fields["PackageVersion"] == VERSION
        schema = f"winget-manifest.{fields['ManifestType']}.{fields['ManifestVersion']}.schema"
        assert schema in text
    installer = said["WinnowSearch.Winnow.installer.yaml"]
    assert f"InstallerSha256: {digest_of(NAMES[0]).upper()}\n" in installer
    assert f"/releases/download/v{VERSION}/{NAMES[0]}\n" in installer
    noted = (ROOT / "packaging" / "windows" / "winnow.nsi").read_text("utf-8")
    [code] = re.findall(r"^ProductCode: (.+)$", installer, re.MULTILINE)
    assert rf"\Uninstall\{code}" in noted


def test_the_cask_names_both_processors(folder: Path) -> None:
    package.main(["--release", str(folder)])
    cask = (folder / "manifests" / "homebrew" / "Casks" / "w" / "winnow.rb").read_text("utf-8")
    assert f'version "{VERSION}"' in cask
    assert f'sha256 arm:   "{digest_of(NAMES[1])}",' in cask
    assert f'       intel: "{digest_of(NAMES[2])}"' in cask
    [described] = re.findall(r'^  desc "(.+)"$', cask, re.MULTILINE)
    # As Homebrew's style has it.
    assert len(described) <= 80
    assert not described.endswith(".")
    assert not described.lower().startswith(("winnow", "a ", "an ", "the "))
    if shutil.which("ruby") is None:
        pytest.skip("ruby is not installed: the cask was not parsed")
    subprocess.run(["ruby", "-c"], input=cask.encode(), check=True, capture_output=True)


@pytest.mark.parametrize("gone", NAMES)
def test_a_file_that_was_not_built_is_named(
    gone: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / gone).unlink()
    assert package.main(["--release", str(folder)]) == 1
    assert f"SHA256SUMS does not name {gone}: build it first" in capsys.readouterr().err
    assert not (folder / "manifests").exists()


def test_the_workflow_takes_what_the_code_knows() -> None:
    workflow = (ROOT / ".github" / "workflows" / "packages.yml").read_text("utf-8")
    assert (
        "RUNTIME: https://github.com/AppImage/type2-runtime/releases/download/20251108" in workflow
    )
    with pytest.raises(frozen.PackageError, match="type2-runtime/releases/download/20251108/"):
        appimage.runtime_named(Path("gone"))
    said = flatpaks.manifest()
    for kind in ("runtime", "sdk"):
        assert f"{said[kind]}//{said['runtime-version']}" in workflow
    for asked in ("--appimage", "--rpm", "--flatpak", "--chroot", "attest-build-provenance"):
        assert asked in workflow


def test_a_list_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(frozen.PackageError, match="sum up what was built first"):
        manifests.read_sums(tmp_path / "SHA256SUMS")
    (tmp_path / "SHA256SUMS").write_text("abc  file\n")
    with pytest.raises(frozen.PackageError, match="a line that is no sum: abc  file"):
        manifests.read_sums(tmp_path / "SHA256SUMS")
    assert package.main(["--release", str(tmp_path / "gone")]) == 1
    assert "There is no folder" in capsys.readouterr().err
