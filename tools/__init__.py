"""Development tools, run by `dev.py`."""
