"""Changes of readers that concern files which are read already.

Append an entry when a reader finds text that it did not find before, and the next sync of each
library reads the files with these suffixes again. Documents whose text is the same keep their
vectors.
"""

from typing import Final


def _suffixes(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Suffixes of the files to read again, oldest change first; "" for mailboxes without a suffix.
READER_CHANGES: Final[tuple[frozenset[str], ...]] = (
    # Targets of links, notes of one word, numbers of headings, frames and drawings, attachments in
    # old encodings, deleted mails, Markdown of many levels.
    _suffixes(
        """.eml .emlx .mbox .mbx .htm .html .mhtml .xhtml .md .markdown .ipynb .docx .docm .dotx
        .odt .ods .odp .pptx .xlsx .epub .pdf .rst .ics .vcf"""
    )
    | {""},
    # Columns drawn row by row, words parted between pages, mails of MH folders, codes of letters.
    frozenset(["", ".pdf", ".properties", ".msg", ".ics", ".vcf", ".mkv", ".webm"]),
    # Targets of links in more formats, films and captions that were cut.
    _suffixes(
        """.png .jpg .jpeg .tif .tiff .webp .heic .mp4 .m4v .mov .mkv .webm .rtf .doc .xls .xlt
        .xlsb .ppt .pps .rst .rest .org .adoc .asciidoc .asciidoctor .tex .ltx .xml .dbk .docbook
        .dita .tei .rss .atom .opml .fb2"""
    ),
    # Drop caps, words stored backwards, lists of forms, tables of notebooks.
    _suffixes(".pdf .docx .docm .dotx .ipynb"),
    # Titles, authors and keywords of PDFs that have them in XMP only.
    frozenset([".pdf"]),
    # Tags, aliases and links between notes, senders and recipients of mails.
    _suffixes(".md .markdown .mdown .mkd .qmd .rmd .eml .emlx .msg .tnef .mbox") | {""},
    # Entries of bibliographies as documents.
    frozenset([".bib"]),
    # Quotations in mails, and their conversations.
    _suffixes(".eml .emlx .msg .tnef .mbox .mbx .pst .ost") | {""},
)


def suffixes_since(version: int) -> frozenset[str]:
    """Return the suffixes of files whose readers have changed since a version.

    >>> sorted(suffixes_since(len(READER_CHANGES)))
    []
    """
    return frozenset[str]().union(*READER_CHANGES[version:])
