"""Formats that are text: plain, structured, and marked up."""
