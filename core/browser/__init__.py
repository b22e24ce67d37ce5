"""The page by which a browser searches: what may ask for it, and what it says, without sockets."""
