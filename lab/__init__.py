"""The laboratory: training, measuring and the papers' reference forms; no part of the program."""
