"""Everything that answers requests of other programs."""
