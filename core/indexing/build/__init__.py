"""What the index is built as: its generations, settings, sizes and estimated costs."""
