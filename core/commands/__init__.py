"""The commands of the command line, each in the module of its name; `core.cli` gathers them."""
