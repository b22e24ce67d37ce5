"""What a server of Winnow's and its clients say to each other: requests, answers, their JSON."""
