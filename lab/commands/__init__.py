"""The lab's commands of `winnow`, available if `lab` is in the same folder as `core`."""

from typing import Final

# Import path of each command by name, in the notation of entry points.
COMMANDS: Final = {
    "evaluate": "lab.commands.evaluate:evaluate",
    "export": "lab.commands.export:export",
    "fit": "lab.commands.train:fit",
    "mine": "lab.commands.train:mine",
    "study": "lab.commands.study:study",
    "train": "lab.commands.train:train",
}
