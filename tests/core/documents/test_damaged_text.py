"""Readers of text under damage of every kind: a document, or a reason why there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.documents.formats import format_of, load_function
from core.errors import DocumentError
from tests.core.documents.mutations import mutations

_SAMPLES = {
    "rst": """
=====
Title
=====

:Author: Ann Rook
:Date: 2024-06-30

Text *with* ``marks`` |sub| [1]_::

    code

.. |sub| replace:: words
.. note:: Mind.

   - one
   - two

+---+---+
| a | b |
+---+---+

===  ===
x    y
===  ===

.. csv-table::

   "a", b
""",
    "adoc": """= Title
Ann Rook <a@b.c>
v1, 2024-06-30
:name: value

== Part

* one
** two {name}

----
code
----

[cols="2*"]
|===
|a |b
2+|c
|===

image::a.png[alt]
<<x,y>> `z` _w_ https://a.b[c]
""",
    "org": """#+TITLE: Title
#+DATE: <2024-06-30 Sun>
* TODO Part :tag:
:PROPERTIES:
:ID: 1
:END:
- [ ] one
- term :: two
| a | b |
|---+---|
#+BEGIN_SRC c
code
#+END_SRC
[[a][b]] *c* =d=
""",
    "tex": r"""\documentclass{article}\title{Title}\author{Ann \and Bob}
\begin{document}
\section{A}
Text \emph{set} $\alpha$ \"u \footnote{x} \cite{y}.
\begin{itemize}\item a\end{itemize}
\begin{tabular}{ll}a & b\\\end{tabular}
\begin{verbatim}
code
\end{verbatim}
\verb|x|
\end{document}""",
    "csv": 'Name;Note\nAnn;"likes ""crows""\nand owls"\nBob;1,5\nKöln;x\n',
    "json": json.dumps({"title": "Ann", "list": [{"a": 1}, [2, [3]], None], "text": "é\n\u2028"}),
    "jsonl": '{"a": 1}\n{"b": ["x", {"c": null}]}\n',
    "xml": """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE book [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>
<book><title>Title</title><author><name>Ann</name></author>
<para>Text &c; <b>set</b> words</para><row><entry>1</entry><entry>2</entry></row>
<pre>code
 code</pre><![CDATA[<x>]]></book>""",
    "ipynb": json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": ["# Title\n", "Text."]},
                {"cell_type": "code", "source": "x", "outputs": [{"data": {"text/plain": "y"}}]},
            ],
            "metadata": {"authors": [{"name": "Ann"}]},
        }
    ),
    "vtt": """WEBVTT - Title

NOTE no

1
00:01.000 --> 00:02.000
<v Ann>Crows &amp; owls

00:59:02.000 --> 00:59:03.000
<i>and</i> rooks
""",
    "srt": """1
00:00:01,000 --> 00:00:02,000
<i>Crows</i> {\\an8}and

2
00:00:03,000 --> 00:00:04,000
- owls
- rooks
""",
    "sbv": """0:00:01.000,0:00:02.000
Crows[br]and

0:00:03.000,0:00:04.000
owls
""",
    "mhtml": """Subject: =?utf-8?q?T=C3=BC?=
Date: Sun, 30 Jun 2024 12:05:00 +0200
Content-Type: multipart/related; boundary="B"; start="<a>"

--B
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable
Content-ID: <a>

<h1>Kr=C3=A4hen</h1><p>x</p>
--B--
""",
    "md": """---
title: T
author: [A, B]
---
# One

* a

| a | b |
|---|---|
| 1 | 2 |

<b>x</b>
""",
    "html": """<html><meta name=author content=Ann><title>T</title><h1>A</h1><ul><li>b</ul>
<table><tr><td>1<td>2</table><pre>c</pre>""",
    "txt": "Crows are clever. Größe.\n\n\x1b[1mOwls\x1b[0m too.\n",
}


@pytest.mark.parametrize("suffix", _SAMPLES)
def test_damage_yields_a_document_or_a_reason(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"sample.{suffix}"
    format_ = format_of(path)
    assert format_ is not None
    read = load_function(format_.reader)
    sound = _SAMPLES[suffix].encode()
    path.write_bytes(sound)
    assert read(path).pages[0].text
    for damaged in mutations(sound):
        path.write_bytes(damaged)
        try:
            document = read(path)
        except DocumentError:
            continue
        for page in document.pages:
            assert page.text == page.text.strip()
            assert "\n\n\n" not in page.text
            assert all(page.text.startswith(h.text, h.start) for h in page.headings)
        assert len(document.pages[0].text) < 1_000_000
