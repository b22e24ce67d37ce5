"""Read one file like the reading process: once and measured, or repeatedly by Atheris.

`bench fuzz` runs this in separate processes, because a file may crash or hang the process:

    python benchmarks/_one_file.py read FILE             # print the outcome as JSON
    python benchmarks/_one_file.py fuzz WORK SUFFIX SECONDS    # WORK/corpus, WORK/found
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import resource
import signal
import sys
import time
import traceback
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

# Processor seconds that a small file may take.
MOST_S = 3.0
MOST_MEMORY_BYTES = 1 << 30
# Largest input; larger ones find nothing more.
LARGEST_BYTES = 1 << 18
HANGS_S = 30.0
# Instrumented code is several times slower; slow files are measured again without it.
_HANGS_WHILE_FUZZING_S = 60.0
_LARGEST_PART_BYTES = 1 << 20
_ROOT = Path(__file__).resolve().parents[1]
_OURS = re.compile(r"core[/\\]|site-packages[/\\]")
_VALUE = re.compile(rb'="[^"]*"|>[^<>]+<')
_ELEMENT = re.compile(rb"<[\w:]+[^<>]*/>|</?[\w:]+[^<>]*>")
_VALUES = (b"", b"-1", b"0", b"x", b"99999999999999", b"1e999", b"\xc2\xb2", b"../../..", b"NaN")


def read(path: Path) -> None:
    """Read, draw and unpack one file; a `DocumentError` is a valid outcome.

    Any other exception is one that the reading process would log with its traceback.
    """
    from core.documents.containers.unpacking import Pass
    from core.documents.formats import format_of, load_function
    from core.documents.limits import ContainerLimits
    from core.documents.sandbox import protocol
    from core.errors import DocumentError

    format_ = format_of(path)
    assert format_ is not None, path
    if format_.reader:
        with suppress(DocumentError):
            document = load_function(format_.reader)(path)
            fields = protocol.document_fields(document, with_styles=True)
            protocol.document_from(protocol.unpack(protocol.pack(fields)))
    if format_.drawer:
        with suppress(DocumentError):
            load_function(format_.drawer)(path, 1, 200, [(0, 5)])
    if format_.members:
        limits = ContainerLimits(
            members=1000, member_bytes=5_000_000, total_bytes=50_000_000, least_bytes=50_000_000
        )
        # An OSError is retried later and is not a bug in the readers.
        with suppress(DocumentError, OSError):
            Pass(_scratch(path), limits, _Listener(), pictures=True).run(
                path, load_function(format_.members)
            )


class _Listener:
    """Unpacks every member, and raises errors that would be logged."""

    def offer(self, member: object, write: Callable[[], str]) -> bool:
        if not getattr(member, "reason", ""):
            write()
        return True

    def close(self, closed: object, trace: str) -> None:  # noqa: ARG002 - required by the protocol
        if trace:
            raise RuntimeError(trace)

    def go_on(self) -> None:
        pass


def _scratch(path: Path) -> Path:
    scratch = path.with_name("scratch")
    scratch.mkdir(exist_ok=True)
    return scratch


def signature(error: BaseException) -> str:
    """Return the kind of an error and where it was raised, on one line."""
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, RuntimeError) and "Traceback" in str(error):
        lines = str(error).strip().splitlines()
        where = [line.strip() for line in lines if line.strip().startswith("File ")]
        return f"{lines[-1].partition(':')[0]} in a container, {where[-1] if where else ''}"
    ours = [frame for frame in frames if _OURS.search(frame.filename)] or list(frames)
    last = ours[-1]
    name = Path(last.filename)
    shown = name.relative_to(_ROOT) if name.is_relative_to(_ROOT) else name.name
    return f"{type(error).__name__} in {shown}:{last.lineno} ({last.name})"


def limit_memory() -> None:
    """Limit memory to what counts as a finding, to protect the machine."""
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        limit = pages * resource.getpagesize() + MOST_MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def measured(path: Path) -> dict[str, object]:
    """Read a file once and measure it; imports are done before the clock starts."""
    empty = path.with_name(f"empty{path.suffix}")
    empty.write_bytes(b"")
    with suppress(Exception):
        read(empty)
    with suppress(Exception):
        read(path.with_name(f"seed{path.suffix}"))
    limit_memory()
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGS_S)
    began_s, found = time.process_time(), ""
    try:
        read(path)
    except MemoryError as error:
        found = f"more than {MOST_MEMORY_BYTES >> 20} MB of memory: {signature(error)}"
    except Exception as error:  # noqa: BLE001 - a finding
        found = signature(error)
    took_s = time.process_time() - began_s
    if not found and took_s > MOST_S:
        found = "slow"
    return {"found": found, "seconds": round(took_s, 1)}


def changed(data: bytes, chance: random.Random) -> bytes:
    """Return `data` with a changed value or element, or unchanged if it has neither."""
    values = list(_VALUE.finditer(data))
    elements = list(_ELEMENT.finditer(data))
    if values and chance.random() < 0.5:
        found = chance.choice(values)
        value = chance.choice(_VALUES)
        new = b'="%b"' % value if found.group().startswith(b"=") else b">%b<" % value
    elif elements:
        found, other = chance.choice(elements), chance.choice(elements)
        new = chance.choice((b"", found.group() * 2, found.group() * 500, other.group()))
    else:
        return data
    return data[: found.start()] + new + data[found.end() :]


def parts_of(data: bytes) -> dict[str, bytes]:
    """Return the members of a ZIP package by name, or {} for other data."""
    if not data.startswith(b"PK"):
        return {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            infos = package.infolist()
            if any(info.file_size > _LARGEST_PART_BYTES for info in infos):
                return {}
            return {info.filename: package.read(info) for info in infos}
    except Exception:  # noqa: BLE001 - corrupted by a mutation
        return {}


def packed(parts: dict[str, bytes]) -> bytes:
    """Return a ZIP package of `parts`."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        for name, contents in parts.items():
            package.writestr(zipfile.ZipInfo(name), contents, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def fuzz(work: Path, suffix: str, seconds: int) -> None:
    """Run Atheris on mutations of `work`/corpus; save failing inputs in `work`/found.

    Each input is written to `work`/now before it is read, so that an input that ends the process
    remains there.
    """
    import atheris

    path = work / "now" / f"sample{suffix}"
    found: set[str] = set()
    with atheris.instrument_imports(
        include=["core.documents", "email", "markdown_it", "olefile", "py7zr"]
    ):
        # Readers import modules on demand, so each reader gets a file to read first.
        for seed in sorted((work / "corpus").iterdir())[:20]:
            path.write_bytes(seed.read_bytes())
            with suppress(Exception):
                read(path)

    def keep(name: str, data: bytes) -> None:
        if name not in found:
            found.add(name)
            digest = hashlib.sha256(name.encode()).hexdigest()[:12]
            (work / "found" / f"{digest}{suffix}").write_bytes(data)

    def once(data: bytes) -> None:
        path.write_bytes(data)
        signal.setitimer(signal.ITIMER_VIRTUAL, _HANGS_WHILE_FUZZING_S)
        began_s = time.process_time()
        try:
            read(path)
        except Exception as error:  # noqa: BLE001 - a finding
            keep(signature(error), data)
        took_s = time.process_time() - began_s
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if took_s > MOST_S:
            keep(f"slow, about {round(took_s / 5)}", data)

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        chance = random.Random(seed)
        parts = parts_of(data) if chance.random() < 0.85 else {}
        if not parts:
            new = changed(data, chance) if chance.random() < 0.2 else data
            return bytes(atheris.Mutate(new[:max_size], max_size))
        name = chance.choice(list(parts))
        if chance.random() < 0.4:
            parts[name] = changed(parts[name], chance)
        else:
            parts[name] = bytes(atheris.Mutate(parts[name], _LARGEST_PART_BYTES))
        new = packed(parts)
        return new if len(new) <= max_size else bytes(atheris.Mutate(data, max_size))

    limit_memory()
    options = [
        *(f"-max_total_time={seconds}", f"-max_len={LARGEST_BYTES}", "-rss_limit_mb=0"),
        *("-timeout=100000", "-verbosity=1", "-print_final_stats=1", "-len_control=0"),
        f"-artifact_prefix={work / 'now'}/",
    ]
    atheris.Setup([sys.argv[0], *options, str(work / "corpus")], once, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1] == "read":
        print(json.dumps(measured(Path(sys.argv[2]))))
    else:
        fuzz(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
