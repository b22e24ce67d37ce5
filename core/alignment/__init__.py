"""The papers' mathematics as pure functions on arrays."""
