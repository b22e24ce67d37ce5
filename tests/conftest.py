"""Fixtures for all tests: a temporary home folder, no network and no screen.

Also the built-in encoder, loaded once per session, and small libraries.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import pytest_timeout

from app.__main__ import _THREADS_OF_PRODUCTS
from core import cli
from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.runtimes import OpenVinoRuntime
from core.encoders.tokens import Tokenizer
from core.library.library import Library
from core.optional_packages import import_openvino
from core.settings import IndexSize, Settings, save_settings
from tests.examples import load_profile
from tests.waiting import slowness
from tests.warm_readers import WarmReaders

# Set before Qt or transformers is imported, since both read these variables on import.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

load_profile()

pytest_plugins = ["tests.last_green", "tests.process_state"]

# Tests that use these fixtures are slow: a Ray cluster, a private network, the built website.
SLOW_FIXTURES = frozenset({"cluster", "apart", "built"})

# Memory of a worker with the model and torch.
WORKER_BYTES = 2 << 30
# With more workers, the first would be idle before the last has started.
MOST_WORKERS = 8


def processors() -> int:
    """Return the number of processors that this process may use."""
    may_use = getattr(os, "sched_getaffinity", None)
    return len(may_use(0)) if may_use is not None else os.cpu_count() or 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Disable garbage collection while tests are collected, since none of the objects is freed."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow tests, unless the command line selects them."""
    for item in items:
        if SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
    if config.option.slow or config.option.markexpr:
        return
    if slow := [item for item in items if item.get_closest_marker("slow")]:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: pytest_timeout.Settings) -> object:
    """Scale timeouts by the slowness of the machine."""
    scaled = settings._replace(timeout=settings.timeout * slowness())
    return pytest_timeout.pytest_timeout_set_timer(item, scaled)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the number of workers that the processors and the memory allow."""
    import psutil

    room = psutil.virtual_memory().available // WORKER_BYTES
    return max(1, min(processors(), room, MOST_WORKERS))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: Sequence[object]) -> None:
    """Divide the processors among the workers, so that their threads do not compete.

    Numerical libraries read these variables when they are loaded, in workers and child processes.
    """
    threads = str(max(1, processors() // len(specs)))
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", threads)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of Winnow for this test, not yet created."""
    folder = tmp_path_factory.mktemp("home") / "winnow"
    monkeypatch.setenv("WINNOW_HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def own_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo the variables that the program sets for its process."""
    for name in (*_THREADS_OF_PRODUCTS, "XDG_ACTIVATION_TOKEN"):
        before = os.environ.get(name)
        monkeypatch.setenv(name, before or "")
        if before is None:
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def idle_readers() -> Iterator[WarmReaders]:
    """The pool of idle reading processes."""
    readers = WarmReaders()
    yield readers
    readers.end()


@pytest.fixture(autouse=True)
def warm_readers(idle_readers: WarmReaders) -> Iterator[None]:
    """Make libraries reuse the reading processes of earlier tests.

    Tests of the processes themselves override this fixture with one that does nothing.
    """
    with idle_readers.installed():
        yield


@pytest.fixture(scope="session")
def tokenizers() -> dict[object, Tokenizer]:
    """Cache of tokenizers, by file path and modification time."""
    return {}


@pytest.fixture(autouse=True)
def cache_tokenizers(tokenizers: dict[object, Tokenizer], monkeypatch: pytest.MonkeyPatch) -> None:
    """Load each tokenizer once per session, unless its file changes."""
    original = Tokenizer.of

    def of(checkpoint: Checkpoint) -> Tokenizer:
        try:
            stat = checkpoint.tokenizer.stat()
        except OSError:
            return original(checkpoint)
        stamp = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        key = (checkpoint.tokenizer, checkpoint.is_lowercased, *stamp)
        if key not in tokenizers:
            tokenizers[key] = original(checkpoint)
        return tokenizers[key]

    monkeypatch.setattr(Tokenizer, "of", of)


@pytest.fixture(autouse=True)
def unchanged_logging() -> Iterator[None]:
    """Fail a test that turns off logging for the tests after it."""
    root, manager = logging.root, logging.root.manager
    level = root.level
    yield
    off = [
        logger
        for name, logger in manager.loggerDict.items()
        if name.partition(".")[0] in {"app", "core"}
        and isinstance(logger, logging.Logger)
        and logger.disabled
    ]
    found = [logger.name for logger in off], manager.disable, root.level
    for logger in off:
        logger.disabled = False
    manager.disable = logging.NOTSET
    root.setLevel(level)
    assert found == ([], logging.NOTSET, level)


Run = Callable[..., tuple[int, str, str]]

BIRDS = {
    "crow.txt": "The crow remembers the faces of people who fed it. It hides food in the ground.",
    "owl.txt": "Owls hunt mice at night. Their feathers make no sound, so that nothing hears them.",
    "swift.txt": "Swifts sleep in the air and land only to breed under the roofs of houses.",
    "dipper.txt": "The dipper walks on the bed of fast streams and looks for larvae under stones.",
    "cuckoo.txt": "The cuckoo lays its eggs in other birds' nests and never raises its own chicks.",
    "coffee.txt": "Grind the beans just before brewing; water off the boil keeps coffee from "
    "tasting bitter. A résumé of the method hangs in the kitchen.",
    "engine.txt": "The boundary\nlayer over a wing becomes turbulent where the pressure rises.",
    "tax.txt": "A receipt has to be kept for seven years after the tax return was filed.",
}


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="session", autouse=True)
def precision() -> Iterator[None]:
    """Set the inference precision to `WINNOW_TEST_PRECISION`; AVX2 processors use f32."""
    precision_hint = os.environ.get("WINNOW_TEST_PRECISION")
    if not precision_hint:
        yield
        return
    openvino = import_openvino()

    compile_model = openvino.Core.compile_model

    def compiled(
        core: Any, model: Any, device: str = "CPU", options: dict[str, Any] | None = None
    ) -> Any:
        return compile_model(
            core, model, device, {**(options or {}), "INFERENCE_PRECISION_HINT": precision_hint}
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openvino.Core, "compile_model", compiled)
        yield


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """The built-in model on the CPU. Its first conversion on a machine takes a few seconds."""
    checkpoint = load_checkpoint()
    runtime = OpenVinoRuntime(checkpoint, threads=1)
    return Encoder(checkpoint, Tokenizer(checkpoint.tokenizer), runtime)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for documents."""
    path = tmp_path / "documents"
    path.mkdir()
    return path


@pytest.fixture
def open_library(
    encoder: Encoder, home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Library]]:
    """A function that opens libraries in the test's home folder. They are closed after the test.

    All share one loaded model, which saves half a second per library.
    """
    monkeypatch.setattr(
        "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
    )
    opened: list[Library] = []

    def make(*arguments: object, **options: object) -> Library:
        library = Library.open(*arguments, **options)  # type: ignore[arg-type]
        opened.append(library)
        return library

    yield make
    for library in opened:
        library.close()


@pytest.fixture
def library(open_library: Callable[..., Library]) -> Library:
    return open_library()


@pytest.fixture(scope="session")
def birds(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """An indexed library of the BIRDS files. Tests must not change it."""
    with _birds(encoder, tmp_path_factory.mktemp("birds"), IndexSize.FAST) as library:
        yield library


@pytest.fixture(scope="session")
def small_birds(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The same with a small index, which reranks by encoding. Tests must not change it."""
    with _birds(encoder, tmp_path_factory.mktemp("small"), IndexSize.SMALL) as library:
        yield library


@contextlib.contextmanager
def _birds(encoder: Encoder, root: Path, size: IndexSize) -> Iterator[Library]:
    write_files(root / "documents", BIRDS)
    with indexed_library(encoder, root, size) as library:
        library.search("bird")
        yield library


@contextlib.contextmanager
def indexed_library(
    encoder: Encoder, root: Path, size: IndexSize = IndexSize.FAST
) -> Iterator[Library]:
    """Index `root / "documents"` in a library that the tests of a module or session share."""
    (root / "home").mkdir()
    save_settings(Settings(index_size=size), root / "home" / "settings.json")
    with Library.open(root / "home") as library:
        library.add_folder(root / "documents")
        # Only until the model is loaded, because other tests use other models.
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
            )
            library.sync()
            library.warm_up()
        yield library


def copy_home(library: Library, path: Path) -> Path:
    """Copy the folder of an open library to `path`, the catalog by SQLite itself.

    Reading the catalog's file here would end this process's locks on it, as POSIX has it. Another
    process that opens the library would then take itself for the last one, and delete the log.
    """
    shutil.copytree(
        library.home, path, ignore=shutil.ignore_patterns("catalog.sqlite*", "*.lock", ".scratch")
    )
    with (
        library._catalog.reading() as db,
        contextlib.closing(sqlite3.connect(path / "catalog.sqlite")) as copy,
    ):
        db.backup(copy)
    return path


@pytest.fixture
def run(open_library: object, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs a command and returns its exit status, output and error output."""

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        status = cli.main([str(argument) for argument in arguments])
        out, errors = capsys.readouterr()
        return status, out, errors

    return call


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """The SQLite connections that the test has opened."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def record(*arguments: Any, **keywords: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **keywords))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", record)
    return opened
