"""Train the run that this archive holds, without Winnow installed: see `python3 run.py --help`.

Packed by `winnow train-pack`; `winnow train-join` assembles its output.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import signal
import sys
import tempfile
import zipfile
from pathlib import Path

NEEDED = ("torch", "transformers", "safetensors", "tokenizers", "numpy")
# Minimum versions of the packages that training needs.
MIN_VERSIONS = {"torch": (2, 6), "transformers": (4, 56)}


def say(line: str) -> None:
    """Print a line and flush."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def fail(sentence: str, status: int) -> int:
    """Print an error and return the exit status."""
    sys.stderr.write(f"run.py: {sentence}\n")
    return status


def main() -> int:
    """Train and return the exit status: 0, 1 (failed), 2 (usage error) or 130 (interrupted)."""
    parser = argparse.ArgumentParser(description="Train the run that this archive holds.")
    parser.add_argument("--output", type=Path, required=True, help="the run's folder")
    parser.add_argument("--minutes", type=float, help="end after so many; left out, at the end")
    parser.add_argument("--device", choices=["auto", "cpu", "cuda", "mps"], help="to train on")
    options = parser.parse_args()
    if options.minutes is not None and not options.minutes > 0:
        return fail("--minutes must be above 0.", 2)
    if sys.version_info < (3, 11):  # noqa: UP036 - the other machine's Python is not ours
        return fail("This needs Python 3.11 or newer; call it with that.", 2)
    missing = [name for name in (*NEEDED, "lzma") if importlib.util.find_spec(name) is None]
    if missing:
        command = f"{Path(sys.executable).name} -m pip install {' '.join(NEEDED)}"
        return fail(f"This Python lacks {', '.join(missing)}; install with {command}.", 2)
    for name, least in MIN_VERSIONS.items():
        found = importlib.metadata.version(name)
        if tuple(int(part) for part in found.split(".")[:2]) < least:
            wanted = ".".join(map(str, least))
            return fail(f"This Python has {name} {found}; {wanted} or newer is needed.", 2)
    here = Path(__file__).resolve().parent
    if not (here / "code.zip").is_file():
        return fail(f"{here} lacks code.zip; unpack the archive again.", 2)
    # Keeps transformers from accessing the network.
    os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1")
    with tempfile.TemporaryDirectory(prefix="winnow-") as code:
        with zipfile.ZipFile(here / "code.zip") as packed:
            packed.extractall(code)
        sys.path.insert(0, code)
        return train(here, options.output, options.minutes, options.device)


def train(here: Path, output: Path, minutes: float | None, device: str | None) -> int:
    """Train with the unpacked code and return the exit status."""
    from core.errors import Cancelled, WinnowError
    from core.progress import Job
    from lab.training.packing import train_packed

    job = Job()
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda *_: job.cancel())
    try:
        parts = train_packed(here, output, say, job, minutes=minutes, device=device)
    except Cancelled:
        return fail("Stopped. Run the same command again to resume.", 130)
    except WinnowError as error:
        return fail(str(error), error.exit_status)
    size = sum(path.stat().st_size for path in parts)
    say(f"{len(parts)} parts, {size / 1e6:.1f} MB, are in {parts[0].parent}.")
    say("winnow train-join puts them together; checkpoint-… alone suffice to go on.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
