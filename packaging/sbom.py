"""The software bill of materials (SBOM) of a package, in CycloneDX format.

It lists the components that `licences.py` found, with version, licence and origin. Output is
reproducible.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import contents
import frozen
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

if TYPE_CHECKING:
    from licences import Component as LicensedComponent

NAME: Final = "sbom.cdx.json"
_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "https://winnow-search.github.io/sbom")
_ON_PYPI: Final = "https://pypi.org/project/"
_AT_DEBIAN: Final = "https://packages.debian.org/source/"


def write(components: Sequence[LicensedComponent], path: Path) -> None:
    """Write the SBOM of a package with these components."""
    path.write_text(sbom(components) + "\n", encoding="utf-8")


def sbom(components: Sequence[LicensedComponent]) -> str:
    """Return the SBOM as CycloneDX 1.6 JSON."""
    version = contents.version()
    bom = Bom(
        serial_number=uuid.uuid5(
            _NAMESPACE, "\n".join([version, *(one.name for one in components)])
        )
    )
    bom.metadata.timestamp = datetime.fromtimestamp(frozen.source_date(), UTC)
    program = Component(
        name="winnow",
        version=version,
        type=ComponentType.APPLICATION,
        bom_ref="winnow",
        licenses=[LicenseFactory().make_with_expression("Apache-2.0")],
    )
    bom.metadata.component = program
    parts = [_component(one) for one in components if one.home]
    bom.components.update(parts)
    bom.register_dependency(program, parts)
    return JsonV1Dot6(bom).output_as_string(indent=2)


def _component(part: LicensedComponent) -> Component:
    label = part.name.removesuffix(" (Debian)")
    name, _, version = label.rpartition(" ")
    if not version[:1].isdigit():
        # The version of a library inside a wheel is unknown.
        name, version = label, ""
    return Component(
        name=name,
        version=version or None,
        type=ComponentType.LIBRARY,
        bom_ref=part.name,
        purl=_purl(part.home, name, version),
        licenses=[LicenseFactory().make_with_expression(part.licence)],
        external_references=[
            ExternalReference(type=ExternalReferenceType.WEBSITE, url=XsUri(part.home))
        ],
    )


def _purl(home: str, name: str, version: str) -> PackageURL | None:
    """Return the package URL by which vulnerability databases know a component, or None.

    >>> str(_purl("https://pypi.org/project/PyStemmer/3.0/", "PyStemmer", "3.0"))
    'pkg:pypi/pystemmer@3.0'
    >>> str(_purl("https://packages.debian.org/source/libxcb1", "libxcb1", "1.15-1"))
    'pkg:deb/debian/libxcb1@1.15-1'
    """
    if home.startswith(_ON_PYPI):
        return PackageURL("pypi", None, name, version)
    if home.startswith(_AT_DEBIAN):
        return PackageURL("deb", "debian", name, version)
    return None
