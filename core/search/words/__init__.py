"""Search by words: full text, stems, spelling."""
