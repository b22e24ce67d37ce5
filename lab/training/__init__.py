"""Learns what ships with Winnow: projections, codebooks, models."""
