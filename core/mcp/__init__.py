"""The door for agents: a library's tools over the Model Context Protocol, to read and no more."""
