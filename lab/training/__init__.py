"""What is learned from data and shipped: projections, codebooks, models."""
