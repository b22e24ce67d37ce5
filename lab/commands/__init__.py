"""The commands that the laboratory adds to `winnow`, where it is in the same folder as `core`."""

from typing import Final

COMMANDS: Final = {
    "evaluate": "lab.commands.evaluate:evaluate",
    "fit": "lab.commands.train:fit",
    "mine": "lab.commands.train:mine",
    "study": "lab.commands.study:study",
    "train": "lab.commands.train:train",
    "train-join": "lab.commands.train:train_join",
    "train-pack": "lab.commands.train:train_pack",
}
"""Where each command of click's is, by its name, as an entry point would say it."""
