"""Compiles the loops of a search into the wheel; everything else is in pyproject.toml."""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).resolve().parent))

from core.index.native.compiler import compile_library


class BuildLoops(build_py):
    """Copies the modules and compiles the loops next to them, except in a checkout."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            compile_library(Path(self.build_lib) / "core" / "index" / "native")


class Platform(Distribution):
    """Files for one platform."""

    def has_ext_modules(self) -> bool:
        return True


class PlatformWheel(bdist_wheel):
    """A wheel for one platform and any Python 3."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


setup(distclass=Platform, cmdclass={"build_py": BuildLoops, "bdist_wheel": PlatformWheel})
