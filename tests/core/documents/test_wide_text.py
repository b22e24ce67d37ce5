from __future__ import annotations

import pytest

from core.documents.decoding import decode
from core.errors import DocumentError

_TEXTS = {
    "ru": "Протокол собрания: заменить водопроводные трубы в подвале.\n" * 3,
    "el": "Πρακτικά της συνέλευσης, αλλαγή σωλήνων.\n" * 2,
    "ar": "محضر اجتماع السكان.\n" * 2,
    "ja": "会議の議事録です。ひらがなとカタカナを混ぜて書きます。\n" * 2,
    "zh": "今天下午三点开会,请准时参加。仓库的钥匙在里面\n" * 2,
    "ko": "회의록: 지하실 배관을 교체하다.\n" * 2,
    "th": "รายงานการประชุม ของผู้อยู่อาศัย\n" * 2,
    "de": "Grüße aus Köln\n" * 2,
}
_LOGS = ["start kohlrabi line\n" * 50, "Größe geprüft\n" * 5, "журнал службы\n" * 5]


@pytest.mark.parametrize("language", _TEXTS)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_needs_no_byte_order_mark(language: str, encoding: str) -> None:
    assert decode(_TEXTS[language].encode(encoding)) == _TEXTS[language]


@pytest.mark.parametrize("language", _TEXTS)
@pytest.mark.parametrize("log", _LOGS)
@pytest.mark.parametrize("mark", [b"", b"\xff\xfe"])
def test_a_program_may_append_to_a_file_in_another_encoding(
    language: str, log: str, mark: bytes
) -> None:
    text = _TEXTS[language].replace("\n", "\r\n")
    wide = mark + text.encode("utf-16-le")
    assert decode(log.encode() + wide) == log + text
    assert decode(log.encode() + wide + log.encode()) == log + text + log
    assert decode(b"\xff\xfe" + text.encode("utf-16-le") + log.encode()) == text + log


@pytest.mark.parametrize("language", _TEXTS)
@pytest.mark.parametrize("count", [16, 33, 4096])
def test_a_block_of_nuls_is_left_out(language: str, count: int) -> None:
    text = _TEXTS[language]
    assert decode(text.encode() + bytes(count) + text.encode()) == f"{text}\n{text}"
    with pytest.raises(DocumentError, match="Not text"):
        decode(bytes(count))


def test_a_few_nuls_do_not_make_text_wide() -> None:
    line = "An ordinary log line with some words in it, and more 2024-05-01\n"
    assert decode(b"\0" + line.encode() * 40).strip("\0") == line * 40


@pytest.mark.parametrize(
    ("legacy", "encoding", "valid"),
    [
        ("Größe geprüft", "cp1252", "Größe geprüft"),
        ("Ошибка службы", "cp1251", "Служба запущена"),
        ("エラーが発生しました", "cp932", "サービスを開始しました"),
        ("服务启动失败", "gbk", "服务已启动"),
    ],
)
@pytest.mark.parametrize("every", [2, 10])
def test_each_line_may_have_its_own_encoding(
    legacy: str, encoding: str, valid: str, every: int
) -> None:
    lines = [
        (f"{legacy} {number}\n", encoding) if number % every else (f"{valid} {number}\n", "utf-8")
        for number in range(60)
    ]
    data = b"".join(line.encode(name) for line, name in lines)
    assert decode(data) == "".join(line for line, _ in lines)
