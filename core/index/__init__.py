"""The compressed token vectors on disk and the scan over them."""
