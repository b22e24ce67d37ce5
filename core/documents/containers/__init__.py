"""Documents inside other ones: archives opened, members named and handed on."""
