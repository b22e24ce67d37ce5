"""Teaching: marking results as right, and the proposal that Winnow learns from them."""
