"""The East Asian encoding of short texts that declare none."""

from __future__ import annotations

import pytest

from core.documents.decoding import decode
from core.documents.east_asian import east_asian_encoding

ENCODINGS = ("gb18030", "big5", "cp932", "euc_jp", "cp949")
SHORT = {
    "gbk": [
        "比赛规则及附件",
        "合同",
        "发票",
        "会议纪要",
        "简历",
        "工资表",
        "新建文件夹",
        "产品说明书",
    ],
    "cp949": ["새 폴더", "회의록", "계약서", "이력서", "사진", "보고서", "영수증", "대한민국 자료"],
    "cp932": ["新しいフォルダー", "請求書", "見積書", "履歴書", "領収書", "お知らせ"],
}
LONG = {
    "gbk": "第一章 本公司的仓库在城市的北面，钥匙由经理保管。\n发票和合同都放在二楼。\n",
    "big5": "第一章 本公司的倉庫在城市的北面，鑰匙由經理保管。\n發票和合約都放在二樓。\n",
    "cp932": "倉庫の鍵は二階の事務所にあります。\n請求書と契約書もそこに保管してください。\n",
    "euc_jp": "倉庫の鍵は二階の事務所にあります。\n請求書と契約書もそこに保管してください。\n",
    "cp949": "창고 열쇠는 이층 사무실에 있습니다.\n계약서와 영수증도 거기에 보관하세요.\n",
}


@pytest.mark.parametrize(
    ("encoding", "text"), [(encoding, text) for encoding in SHORT for text in SHORT[encoding]]
)
def test_short_names_are_decoded(encoding: str, text: str) -> None:
    assert decode(f"{text}.txt".encode(encoding)) == f"{text}.txt"


@pytest.mark.parametrize("encoding", LONG)
def test_paragraphs_are_decoded(encoding: str) -> None:
    for data in (LONG[encoding], LONG[encoding] * 2000, f"Report 5\n{LONG[encoding]}"):
        assert decode(data.encode(encoding)) == data


def test_lines_that_are_also_valid_utf_8_are_in_the_encoding_of_the_others() -> None:
    text = "通讯录\n产品说明书\n财务报告\n图纸\n学习资料\n"
    assert "通讯录".encode("gbk").decode("utf-8") != "通讯录"
    assert decode(text.encode("gbk")) == text


def test_logs_of_several_programs_keep_their_encodings() -> None:
    lines = [f"第{number}章 仓库的钥匙由经理保管" for number in range(40)]
    data = b"\n".join(
        line.encode("gbk" if number % 3 else "utf-8") for number, line in enumerate(lines)
    )
    assert decode(data) == "\n".join(lines)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "Größe der Bücher über Füße"),
        ("cp1252", "El niño comió piñas en el jardín"),
        ("cp1251", "Протокол собрания жильцов о замене труб"),
        ("koi8_r", "Протокол собрания жильцов о замене труб"),
        ("cp1253", "Τα κλειδιά της αποθήκης είναι στο γραφείο"),
    ],
)
def test_other_texts_are_in_no_east_asian_encoding(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_nothing_fits_bytes_that_are_not_text() -> None:
    assert east_asian_encoding(b"", ENCODINGS) == ""
    assert east_asian_encoding(b"plain", ENCODINGS) == ""
    assert east_asian_encoding(bytes(range(128, 256)), ENCODINGS) == ""
    assert east_asian_encoding("发票".encode("gbk"), []) == ""
