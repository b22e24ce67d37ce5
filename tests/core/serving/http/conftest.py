"""A library of two folders, served in this process or on a port."""

from __future__ import annotations

import contextlib
import datetime as dt
import ipaddress
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from starlette.testclient import TestClient

from core.encoders.encoder import Encoder
from core.library.library import Library, LibraryOptions
from core.serving.http import server as serving
from core.serving.http.application import HttpApplication
from core.serving.http.audit import AUDIT_FILE, AuditLog
from core.serving.http.limits import ServerLimits
from core.serving.http.server import Address
from core.serving.http.tokens import TokenFile
from tests.conftest import BIRDS, write_files
from tests.waiting import patience, wait_until

if TYPE_CHECKING:
    import uvicorn

URL = "http://127.0.0.1:8765"
ENOUGH = ServerLimits(
    rate_per_s=1e6,
    burst=10**6,
    deadline_s=patience(),
    header_s=patience(),
    body_s=patience(),
    send_s=patience(),
)


class Shelf:
    """The paths of the library and its folders, and a word unique to each folder."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.birds = root / "birds"
        self.letters = root / "letters"


@pytest.fixture(scope="session")
def shelf(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    created = Shelf(tmp_path_factory.mktemp("served").resolve())
    long = "\n\n".join(f"Paragraph {number} tells of gulls. " * 12 for number in range(30))
    write_files(created.birds, {**BIRDS, "long.md": f"# Gulls\n\n{long}"})
    write_files(
        created.letters,
        {
            "owl.md": "# To the owl\n\nDear owl, the zanzibar mice are all yours.",
            "team/swift.md": "# Swifts\n\nThe swifts of quokka sleep in the air at night.",
        },
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
        )
        with Library.open(created.home) as library:
            library.add_folder(created.birds)
            library.add_folder(created.letters)
            library.sync()
    return created


@pytest.fixture
def served(shelf: Shelf, encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """The library as the server opens it."""
    monkeypatch.setattr(
        "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
    )
    with Library.open(shelf.home, LibraryOptions(is_read_only=True)) as library:
        yield library


@pytest.fixture
def tokens(tmp_path: Path) -> TokenFile:
    """An own file of tokens, empty."""
    return TokenFile(tmp_path)


Start = Callable[..., TestClient]


@pytest.fixture
def start(served: Library, tokens: TokenFile, tmp_path: Path) -> Iterator[Start]:
    """Start the application in this process; return a client, which sends the token."""
    started: list[TestClient] = []

    def make(
        token: str = "", limits: ServerLimits = ENOUGH, headers: Mapping[str, str] | None = None
    ) -> TestClient:
        log = AuditLog(tmp_path / AUDIT_FILE)
        hosts = ("127.0.0.1", "localhost")
        application = HttpApplication(served, hosts, tokens, limits, log)
        shown = {"authorization": f"Bearer {token}"} if token else {}
        client = TestClient(application.asgi, URL, headers={**shown, **(headers or {})})
        client.__enter__()
        started.append(client)
        return client

    yield make
    for client in started:
        client.__exit__()


def search(client: TestClient, query: str, **more: Any) -> Any:
    answer = client.post("/v1/search", json={"query": query, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def audited(tmp_path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (tmp_path / AUDIT_FILE).read_text().splitlines()]


Serve = Callable[..., int]


@pytest.fixture
def servers() -> list[uvicorn.Server]:
    """The servers that were started."""
    return []


@pytest.fixture
def serve(
    served: Library,
    tmp_path: Path,
    servers: list[uvicorn.Server],
    tokens: TokenFile,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Serve]:
    """Serve the library on a free port; return the port."""
    monkeypatch.setattr(serving, "TokenFile", lambda _: tokens)
    stack = contextlib.ExitStack()

    def begin(limits: ServerLimits = ENOUGH, **named: Any) -> int:
        address = Address(**named)
        server = serving.build_server(
            served, served.home, address, limits, tmp_path / "audit.jsonl"
        )
        servers.append(server)
        listening = stack.enter_context(serving.bound(address))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()

        def end() -> None:
            server.should_exit = True
            thread.join(patience())
            assert not thread.is_alive()

        stack.callback(end)
        wait_until(lambda: server.started)
        port: int = listening.getsockname()[1]
        return port

    with stack:
        yield begin


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that vouches for itself, and its key."""
    return certified(tmp_path)


def certified(folder: Path, begins_in_days: int = -1) -> tuple[Path, Path]:
    """Create a certificate, valid for two days, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "winnow test")])
    now = dt.datetime.now(dt.UTC)
    created = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now + dt.timedelta(days=begins_in_days))
        .not_valid_after(now + dt.timedelta(days=begins_in_days + 2))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "cert.pem", folder / "key.pem"
    files[0].write_bytes(created.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files
