"""From a query to ranked documents, their highlights and explanations."""
