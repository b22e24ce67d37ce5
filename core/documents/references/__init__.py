"""Bibliographies: files of BibTeX and RIS, and the library of Zotero. Each entry is a document."""
