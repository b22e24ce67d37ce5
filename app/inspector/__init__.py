"""Why a passage was found, token by token: the alignment inspector."""
