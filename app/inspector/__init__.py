"""The alignment inspector: explains a passage's score token by token."""
