"""The lab's commands of `winnow`, available if `lab` is in the same folder as `core`."""

from typing import Final

# Import path and summary of each command by name; the path is in the notation of entry points.
COMMANDS: Final = {
    "evaluate": (
        "lab.commands.evaluate:evaluate",
        "Measure search on a judged data set in the layout of BEIR, Hugging Face or LoTTE.",
    ),
    "export": (
        "lab.commands.export:export",
        "Write a model to FOLDER in the multi-vector layout of sentence-transformers.",
    ),
    "fit": (
        "lab.commands.train:fit",
        "Learn a model's codebook from the data sets in FOLDERS, and save it in the model.",
    ),
    "mine": (
        "lab.commands.train:mine",
        "Mine hard negatives for the judged pairs of CONFIG, a TOML file.",
    ),
    "study": ("lab.commands.study:study", "Measure a model on judged data sets."),
    "train": ("lab.commands.train:train", "Train a model with the recipe CONFIG, a TOML file."),
}
