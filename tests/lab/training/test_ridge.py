"""Linear fits."""

from __future__ import annotations

import numpy as np
import pytest

from lab.training.ridge import fit_linear


def test_a_linear_relation_is_found_whatever_its_offset() -> None:
    generator = np.random.default_rng(3)
    vectors = generator.normal(size=(500, 6)).astype(np.float32) + 4
    target = (vectors @ np.arange(6) + 2).astype(np.float32)
    weight, bias = fit_linear(vectors, target)
    assert weight == pytest.approx(np.arange(6), abs=0.02)
    assert bias == pytest.approx(2, abs=0.3)
