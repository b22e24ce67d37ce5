"""Teaching: marking results as right, and what Winnow proposes to learn from them."""
