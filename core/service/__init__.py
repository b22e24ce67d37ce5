"""The library's service in the background: warm, in step, asked over a socket of its owner's."""
