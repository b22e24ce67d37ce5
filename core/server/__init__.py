"""The server: one library searched by a team, over HTTP, by tokens that say what each may see."""
