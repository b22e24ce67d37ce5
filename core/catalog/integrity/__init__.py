"""What shows damage in the catalog or survives it: checksums, a backup, checks of foreign files."""
