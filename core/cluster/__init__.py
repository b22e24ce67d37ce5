"""Indexing on several machines with Ray: the executor, and the code that runs on the machines."""
