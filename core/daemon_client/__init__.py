"""The client of the background service. Imports the standard library only."""
