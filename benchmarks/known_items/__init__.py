"""Known-item search: a question, and the one document that the person has in mind."""
