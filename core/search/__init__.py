"""From a query to ranked documents with lit words."""
