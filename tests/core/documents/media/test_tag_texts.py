from __future__ import annotations

import pytest

from core.documents.media.tags import words


@pytest.mark.parametrize("text", ["Čas metat kamení", "時の流れ", "Время", "Größe"])
def test_a_text_in_utf_8_is_read_whatever_is_declared(text: str) -> None:
    assert words(text.encode()) == text


@pytest.mark.parametrize(
    "text", ["Александр Бабкин", "ДДТ", "Кино – Группа крови (1988)", "Что такое осень?"]
)
@pytest.mark.parametrize("encoding", ["cp1251", "koi8_r"])
def test_a_russian_text_is_recognised(text: str, encoding: str) -> None:
    if encoding == "koi8_r":
        text = text.replace("–", "-").replace("ДДТ", "Время")
    assert words(text.encode(encoding)) == text


@pytest.mark.parametrize(
    "text",
    [
        "Ça été",
        "Déjà créée",
        "Þórður Ægisson",
        "Göteborgs Åö",
        "Größe",
        "“Año”",
        "Jäääär",
        "yöäänet",
    ],
)
def test_a_western_text_is_not_russian(text: str) -> None:
    assert words(text.encode("cp1252")) == text
