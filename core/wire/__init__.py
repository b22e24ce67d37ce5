"""The protocol between a Winnow server and its clients: requests, responses, their JSON."""
