"""What whoever works on Winnow has done now and then, through `dev.py`."""
