"""Indexing on several machines, by Ray: what runs on them, and the executor that has it run."""
