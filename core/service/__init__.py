"""Asking the service in the background, over a socket that only its owner can use."""
