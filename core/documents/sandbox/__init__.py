"""Readers at work in a process of their own."""
