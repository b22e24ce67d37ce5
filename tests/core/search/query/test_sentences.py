"""Sentences that describe documents, and ordinary queries that must not become filters."""

from __future__ import annotations

from datetime import date

import pytest

from core.search.query.language import parse
from core.search.query.sentences import with_filters

TODAY = date(2026, 11, 24)
KINDS = {"pdf", "mail", "spreadsheet", "presentation", "picture", "word", "ebook", "film"}
# As whole words of authors' names; some are also ordinary words.
AUTHORS = {
    *("anna", "gruber", "anna gruber", "ben", "maria", "maria curie", "curie", "schmidt"),
    *("design", "gold", "thomas", "thomas gold", "river", "mark", "young", "april", "march"),
    *("安娜", "王伟", "李明"),
}

# Sentences, and the queries that they mean.
DESCRIPTIONS: dict[str, str] = {
    "pdf by anna from last march": 'type:pdf author:anna date:"last march"',
    "PDF by Anna Gruber": 'type:pdf author:"Anna Gruber"',
    "the pdfs by anna": "type:pdf author:anna",
    "emails from anna": "type:mail author:anna",
    "emails from anna from last week": 'type:mail author:anna date:"last week"',
    "pdf last week": 'type:pdf date:"last week"',
    "photos from yesterday": "type:picture date:yesterday",
    "find all my photos from last summer": 'type:picture date:"last summer"',
    "show me the slides by ben about trees": "trees type:presentation author:ben",
    "quarterly budget spreadsheet from 2024": "quarterly budget type:spreadsheet date:2024",
    "documents from last week": 'date:"last week"',
    "notes by maria curie": 'notes author:"maria curie"',
    "letters written by ben": "letters author:ben",
    "minutes from last month": 'minutes date:"last month"',
    "invoices as pdf from March 2024": 'invoices type:pdf date:"March 2024"',
    "files since last week": 'after:"last week"',
    "mail from Ben in June 2025": 'type:mail author:Ben date:"June 2025"',
    "invoices from 2025": "invoices date:2025",
    "the bill of last year": 'bill date:"last year"',
    "letters in January": "letters date:January",
    "letters in spring 2024": 'letters date:"spring 2024"',
    "photos of 2024": "type:picture date:2024",
    "word file by Mark": "type:word author:Mark",
    "water bills during Q3 2025": 'water bills date:"Q3 2025"',
    "Rechnungen des letzten Jahres": 'Rechnungen date:"letzten Jahres"',
    "Stromrechnung als PDF im März 2025": 'Stromrechnung type:pdf date:"März 2025"',
    "Briefe im letzten Sommer": 'Briefe date:"letzten Sommer"',
    "presentations before 2020 by ben": "type:presentation author:ben before:2020",
    "pdf about solar cells by curie": "solar cells type:pdf author:curie",
    "PDF von Anna vom letzten März": 'type:pdf author:Anna date:"letzten März"',
    "Fotos von gestern": "type:picture date:gestern",
    "alle E-Mails von Schmidt": "type:mail author:Schmidt",
    "Präsentationen aus dem letzten Jahr": 'type:presentation date:"letzten Jahr"',
    "Rechnungen als PDF aus 2023": "Rechnungen type:pdf date:2023",
    "zeige mir die Folien von Ben über Bäume": "Bäume type:presentation author:Ben",
    "Protokolle aus der letzten Woche": 'Protokolle date:"letzten Woche"',
    "Dokumente seit letztem Monat von Maria Curie": 'author:"Maria Curie" after:"letztem Monat"',
    "Angebote von Anna Gruber": 'Angebote author:"Anna Gruber"',
    "上周的PDF": "type:pdf date:上周",
    "安娜写的PDF": "type:pdf author:安娜",
    "安娜上个月的邮件": "type:mail author:安娜 date:上个月",
    "查找王伟去年写的关于铁路的文档": "铁路 author:王伟 date:去年",
    "昨天的照片": "type:picture date:昨天",
    "去年的发票": "发票 date:去年",
    "2025年3月的账单": "账单 date:2025年3月",
    "2024年的演示文稿": "type:presentation date:2024年",
}

ORDINARY = (
    # English
    "who invented the steam engine",
    "history of europe in 1914",
    "what happened in march",
    "how to convert pdf to word",
    "convert pdf to word",
    "stand by the river",
    "killed by lightning",
    "graphic design by computer",
    "paintings from 1890",
    "day trips from london",
    "from now on",
    "the price of gold",
    "the value of gold from 1900 to 1950",
    "step by step",
    "songs by the sea",
    "sorted by date",
    "email marketing",
    "picture of a cat",
    "the picture of dorian gray",
    "a letter from the front",
    "people who are young",
    "may 2024",
    "weather in april",
    "the bill of rights",
    "letters in the alphabet",
    "notes of a scale",
    "covid cases in 2020",
    "a contract in economics",
    "last minute travel",
    "the last samurai",
    "next generation sequencing",
    "the book of mark",
    "recover deleted files",
    "file system permissions",
    "documents needed for a passport",
    "which documents did anna send last week",
    "pdf by anna?",
    "is there a pdf from last week",
    "mail order business",
    "since when are whales mammals",
    "before sunrise",
    "train from hamburg to munich",
    "presentation next friday",
    "pictures of 1914",
    "translation from german",
    # German
    "wer hat die Glühbirne erfunden",
    "Geschichte von Berlin",
    "der Preis von Gold",
    "Verordnung von 1914",
    "Zug von Hamburg nach München",
    "Wetter im März",
    "die letzte Generation",
    "das Bild von Dorian Gray",
    "E-Mail einrichten",
    "wie wandle ich PDF in Word um",
    "welche Dokumente hat Anna geschickt",
    "seit wann gibt es Züge",
    "Angst vor dem Fliegen",
    "Reise nach dem Krieg",
    # Chinese
    "铁轨的宽度",
    "中国的历史",
    "去年的天气怎么样",
    "什么是电子邮件",
    "如何把PDF转换成Word",
    "昨天的新闻",
    "安娜是谁",
    "王伟的生日是几月",
    "删除文件",
    "春天的照片",
    "今年的经济增长",
    "上周发生了什么",
)


@pytest.mark.parametrize(("sentence", "meant"), DESCRIPTIONS.items())
def test_a_description_of_documents_becomes_filters(sentence: str, meant: str) -> None:
    found = with_filters(parse(sentence, TODAY), KINDS, AUTHORS, TODAY)
    assert found == meant
    assert str(parse(meant, TODAY)) == meant, "it is a query with these filters"


@pytest.mark.parametrize("query", ORDINARY)
def test_an_ordinary_query_stays_as_it_is(query: str) -> None:
    assert with_filters(parse(query, TODAY), KINDS, AUTHORS, TODAY) is None


def test_there_are_enough_examples() -> None:
    assert len(ORDINARY) >= 60
    assert len(DESCRIPTIONS) >= 30


@pytest.mark.parametrize(
    "query",
    [
        "pdf by anna type:word",
        'pdf by "anna"',
        "pdf by anna -draft",
        "pdf OR mail by anna",
        "pdf by ann*",
    ],
)
def test_a_query_with_operators_stays_as_it_is(query: str) -> None:
    assert with_filters(parse(query, TODAY), KINDS, AUTHORS, TODAY) is None


def test_only_kinds_and_authors_of_the_library_are_recognised() -> None:
    sentence = parse("pdf by anna from last march", TODAY)
    without_kind = with_filters(sentence, set(), AUTHORS, TODAY)
    assert without_kind == 'pdf author:anna date:"last march"'
    assert with_filters(sentence, KINDS, set(), TODAY) is None
    assert with_filters(parse("emails by zoe", TODAY), KINDS, AUTHORS, TODAY) is None
