"""Reading in a process apart, and what hostile readers in it can do to the program: nothing."""

from __future__ import annotations

import multiprocessing
import os
import select
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents import formats
from core.documents.document import Document, Page
from core.documents.formats import Format
from core.documents.limits import Limits
from core.documents.reader import Reader
from core.documents.sandbox.worker_handle import ReadingProcess
from core.errors import DocumentError, LibraryClosedError
from tests.waiting import patience

_HOSTILE = """
    import ctypes, os, socket, struct, subprocess, sys, time
    from core.documents.document import Document, Page

    def segfault(path): ctypes.string_at(0)
    def abort(path): os.abort()
    def leave(path): os._exit(0)
    def leave_politely(path): sys.exit("bye")
    def hang(path):
        while True: pass
    def hoard(path): return Document("", (Page(1, "x" * (10 << 30)),))
    def talk(path): return Document("", (Page(1, "x" * 20_001),))
    def fail(path): raise ZeroDivisionError("oops")
    def recurse(path): return recurse(path)
    def shout(path):
        print("NOISE", flush=True); os.write(1, b"NOISE"); os.write(2, b"NOISE")
        return Document("", (Page(1, "done"),))
    def _answer(message):
        for number in range(3, 1024):
            try: os.write(number, message)
            except OSError: pass
    def lie(path):
        _answer(struct.pack("!i", 5) + b"notjs"); os._exit(0)
    def lie_in_json(path):
        text = b'{"title": 5, "pages": [[1, "x", [[7, 1, "y"]]]]}'
        _answer(struct.pack("!i", len(text)) + text); os._exit(0)
    def promise_too_much(path):
        _answer(struct.pack("!i", 2_000_000_000)); hang(path)
    def stop_halfway(path):
        _answer(struct.pack("!i", 1000) + b"{"); hang(path)
    def connect(path): socket.create_connection(("127.0.0.1", 9))
    def resolve(path): socket.getaddrinfo("localhost", 80)
    def run(path): subprocess.run(["true"])
    def grow(path):
        import core.documents.sandbox.worker
        core.documents.sandbox.worker._GROWN_BYTES = 0
        return Document("", (Page(1, "done"),))
    def follow_parent(path): time.sleep(1000)
"""


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Give a file that the reading process reads with one of the functions above."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "hostile_readers.py").write_text(textwrap.dedent(_HOSTILE))
    monkeypatch.syspath_prepend(folder)

    def make(function: str) -> Path:
        path = tmp_path / f"x.{function}"
        path.write_text("x")
        format_ = Format("hostile", "Hostile", (f".{function}",), f"hostile_readers:{function}")
        monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, format_))
        return path

    return make


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("Crows are clever.")
    return path


_NOTE = Document("", (Page(1, "Crows are clever."),))


def _pid(reader: Reader) -> int | None:
    process = reader._reading.process
    return None if process is None else process._process.pid


def test_every_format_is_read(reader: Reader, tmp_path: Path, write_pdf) -> None:
    import docx
    import pptx
    import xlsxwriter

    word = docx.Document()
    word.add_paragraph("Crows")
    word.save(str(tmp_path / "a.docx"))
    talk = pptx.Presentation()
    talk.slides.add_slide(talk.slide_layouts[5]).shapes.title.text = "Crows"
    talk.save(str(tmp_path / "a.pptx"))
    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
        book.add_worksheet("Nests").insert_textbox(0, 0, "Crows")
    names = "urn:oasis:names:tc:opendocument:xmlns"
    (tmp_path / "a.fodt").write_text(
        f"<o:document xmlns:o='{names}:office:1.0' xmlns:t='{names}:text:1.0'><o:body><o:text>"
        "<t:p>Crows</t:p></o:text></o:body></o:document>"
    )
    (tmp_path / "a.rtf").write_text(r"{\rtf1 Crows\par}")
    (tmp_path / "a.txt").write_text("Crows")
    (tmp_path / "a.py").write_text("Crows")
    (tmp_path / "a.md").write_text("*Crows*")
    (tmp_path / "a.html").write_text("<p>Crows")
    write_pdf([[(50, 500, 12, "Crows")]], "a.pdf")
    suffixes = [".txt", ".py", ".md", ".html", ".docx", ".pptx", ".xlsx", ".fodt", ".rtf", ".pdf"]
    for suffix in suffixes:
        document = reader.read(tmp_path / f"a{suffix}")
        # Only a sheet has a name that is a part of what one sees of it.
        expected = "Nests\n\nCrows" if suffix == ".xlsx" else "Crows"
        assert [page.text for page in document.pages] == [expected], suffix


def test_text_arrives_as_it_was_read(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "all.txt"
    text = 'é 罪と罰 🐦 \\ " {} \u2028|'
    path.write_text(text)
    assert reader.read(path).pages[0].text == 'é 罪と罰 🐦 \\ " {}\n|'


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux allows any bytes in names")
def test_any_file_name_will_do(reader: Reader, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9\n.txt"))
    path.write_text("Crows are clever.")
    assert reader.read(path) == _NOTE


@pytest.mark.parametrize("function", ["segfault", "abort", "leave", "leave_politely"])
def test_a_crash_is_a_reason_and_the_next_document_is_read(hostile, note, function) -> None:
    with Reader() as reader:
        with pytest.raises(DocumentError, match=r"^Reading this file crashed the reader$"):
            reader.read(hostile(function))
        assert reader.read(note) == _NOTE


@pytest.mark.parametrize("function", ["lie", "lie_in_json", "promise_too_much"])
def test_an_answer_that_is_none_is_a_crash(hostile, note, function) -> None:
    with Reader() as reader:
        with pytest.raises(DocumentError, match=r"^Reading this file crashed the reader$"):
            reader.read(hostile(function))
        assert reader.read(note) == _NOTE


@pytest.mark.parametrize("function", ["hang", "stop_halfway", "follow_parent"])
def test_a_hang_ends_at_the_time_limit(hostile, note, function) -> None:
    limits = Limits(timeout_s=0.5)
    with Reader(limits) as reader, pytest.raises(DocumentError, match=r"^Took longer than 0\.5 s$"):
        reader.read(hostile(function))
    with Reader() as reader:
        assert reader.read(note) == _NOTE


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the limit")
def test_too_much_memory_is_a_reason(hostile, note) -> None:
    with Reader(Limits(memory_bytes=200_000_000)) as reader:
        with pytest.raises(DocumentError, match="Not enough memory"):
            reader.read(hostile("hoard"))
        assert reader.read(note) == _NOTE


def test_too_much_text_is_a_reason(hostile, note) -> None:
    with Reader(Limits(characters=20_000)) as reader:
        with pytest.raises(DocumentError, match=r"More than 0.02 million characters"):
            reader.read(hostile("talk"))
        assert reader.read(note) == _NOTE


@pytest.mark.parametrize(
    ("function", "kind"), [("fail", "ZeroDivisionError"), ("recurse", "RecursionError")]
)
def test_a_bug_in_a_reader_is_logged_with_its_trace(
    hostile, note, function, kind, caplog: pytest.LogCaptureFixture
) -> None:
    with Reader() as reader:
        with pytest.raises(DocumentError, match=rf"^Cannot be read \({kind}\)$"):
            reader.read(hostile(function))
        assert reader.read(note) == _NOTE
    assert kind in caplog.text
    assert "hostile_readers.py" in caplog.text


@pytest.mark.parametrize("function", ["connect", "resolve", "run"])
def test_a_reader_can_neither_reach_the_network_nor_start_programs(hostile, function) -> None:
    with Reader() as reader, pytest.raises(DocumentError, match="PermissionError"):
        reader.read(hostile(function))


def test_output_of_libraries_is_hidden(hostile, capfd: pytest.CaptureFixture[str]) -> None:
    with Reader() as reader:
        assert reader.read(hostile("shout")).pages[0].text == "done"
    assert capfd.readouterr() == ("", "")


def test_a_path_that_is_no_file_has_a_reason(reader: Reader, tmp_path: Path) -> None:
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(DocumentError, match="Is a folder"):
        reader.read(tmp_path / "folder.txt")
    for missing in ("gone.txt", "gone.pdf", "gone.docx", "folder/x.txt"):
        with pytest.raises(DocumentError, match="No longer exists"):
            reader.read(tmp_path / missing)
    with pytest.raises(DocumentError, match="Unsupported file type"):
        reader.read(tmp_path / "x.unknown")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")
def test_pipes_and_devices_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    with Reader(Limits(timeout_s=10)) as reader:
        for name in ("pipe.pdf", "zero.txt"):
            with pytest.raises(DocumentError, match="Not a regular file"):
                reader.read(tmp_path / name)


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="the superuser may read all"
)
def test_a_file_that_may_not_be_read_has_a_reason(reader: Reader, note: Path) -> None:
    note.chmod(0)
    with pytest.raises(DocumentError, match="Permission denied"):
        reader.read(note)


def test_the_process_stays_warm_and_is_replaced_in_time(note: Path) -> None:
    with Reader(files_per_process=3) as reader:
        pids = []
        for _ in range(5):
            reader.read(note)
            pids.append(_pid(reader))
    assert pids[0] == pids[1] is not None
    assert pids[2] is None  # it has done its share
    assert pids[3] == pids[4] not in {None, pids[0]}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell")
def test_a_process_that_has_grown_is_replaced(hostile, note: Path) -> None:
    grow = hostile("grow")  # a process may open no module that comes later
    with Reader() as reader:
        reader.read(note)
        assert _pid(reader) is not None
        assert reader.read(grow).pages[0].text == "done"
        assert _pid(reader) is None
        assert reader.read(note) == _NOTE


def test_a_process_that_died_idle_is_no_document_s_fault(note: Path) -> None:
    with Reader() as reader:
        reader.read(note)
        assert reader._reading.process is not None
        reader._reading.process._process.kill()
        reader._reading.process._process.join()
        assert reader.read(note) == _NOTE


def test_an_interrupted_reading_leaves_nothing_behind(
    note: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_arguments: object) -> bytes:
        raise KeyboardInterrupt

    other = tmp_path / "other.txt"
    other.write_text("Owls")
    with Reader() as reader:
        reader.read(note)
        process = reader._reading.process
        assert process is not None
        with monkeypatch.context() as patched:
            patched.setattr(ReadingProcess, "receive", interrupt)
            with pytest.raises(KeyboardInterrupt):
                reader.read(note)
        assert process._process not in multiprocessing.active_children()
        # The answer to the interrupted request must not come now.
        assert reader.read(other).pages[0].text == "Owls"


def test_closing_ends_the_process(note: Path) -> None:
    reader = Reader()
    reader.read(note)
    process = reader._reading.process
    assert process is not None
    assert process.is_alive
    reader.close()
    reader.close()
    assert process._process not in multiprocessing.active_children()
    with pytest.raises(LibraryClosedError, match="closed"):
        reader.read(note)


def test_threads_share_a_reader(reader: Reader, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.txt" for number in range(40)]
    for path in paths:
        path.write_text(f"text of {path.stem}")
    found: dict[str, str] = {}

    def read(some: list[Path]) -> None:
        for path in some:
            found[path.stem] = reader.read(path).pages[0].text

    threads = [threading.Thread(target=read, args=(paths[i::4],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {path.stem: f"text of {path.stem}" for path in paths}


_SCRIPT = """
import sys
sys.path[:] = {path!r}
print("begun")
from pathlib import Path
from core.documents.reader import Reader
with Reader() as reader:
    print(reader.read(Path({note!r})).pages[0].text)
"""


@pytest.mark.parametrize("way", ["file", "argument", "standard input"])
def test_a_script_without_a_guard_is_not_run_again(note: Path, tmp_path: Path, way: str) -> None:
    code = _SCRIPT.format(path=sys.path, note=str(note))
    (tmp_path / "script.py").write_text(code)
    arguments = {"file": [str(tmp_path / "script.py")], "argument": ["-c", code]}.get(way, ["-"])
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        input=code if way == "standard input" else "",
        capture_output=True,
        text=True,
        timeout=patience(),
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == "begun\nCrows are clever.\n"


_DOOMED = """
import os, signal, sys, threading
sys.path[:] = {path!r}
from pathlib import Path
from core.documents import formats
from core.documents.reader import Reader
formats.FORMATS = (formats.Format("hostile", "Hostile", (".txt",), "hostile_readers:{function}"),)
reader = Reader()
process = reader._reading.fit_process()
print(process._process.pid, flush=True)
threading.Thread(target=reader.read, args=(Path({note!r}),), daemon=True).start()
sys.stdin.readline()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="waits for a process that is not its own")
@pytest.mark.parametrize("function", ["follow_parent", "hang"])
def test_a_killed_program_takes_its_process_along(hostile, note: Path, function: str) -> None:
    hostile(function)
    code = _DOOMED.format(path=sys.path, function=function, note=str(note))
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        watched = os.pidfd_open(int(program.stdout.readline()))
        program.stdin.write("\n")
        program.stdin.close()
        program.wait(patience())
        ended = select.poll()
        ended.register(watched, select.POLLIN)
        assert ended.poll(1000 * patience()), "the reading process lives on"
        os.close(watched)
