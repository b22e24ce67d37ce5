"""A cluster reads the documents of a bucket with the credentials of its environment."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from .conftest import environment

pytestmark = pytest.mark.timeout(300)

# In a network where there is nothing else: a server, and the same bucket indexed by either.
_PROGRAM = """
    import io, os, subprocess, sys, zipfile
    from pathlib import Path

    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    server = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        started = next(line for line in server.stderr if "Running on" in line)
        os.environ["AWS_ENDPOINT_URL"] = started.split("Running on ")[1].split()[0]

        import boto3

        client = boto3.client("s3")
        client.create_bucket(Bucket="team")
        for number in range(70):
            text = f"The crow of story {number} hides food at night. "
            client.put_object(Bucket="team", Key=f"notes/{number}.txt", Body=text.encode())
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("owl.txt", "Owls hunt mice at night.")
        client.put_object(Bucket="team", Key="notes/papers.zip", Body=packed.getvalue())
        client.put_object(Bucket="team", Key="notes/broken.docx", Body=b"no Word document")

        from core import cli
        from core.files import object_storage

        for name, options in (("here", []), ("there", ["--ray", "local"])):
            os.environ["WINNOW_HOME"] = str(Path(sys.argv[1]) / name)
            if options:
                # The process that fetches now has other code than this one.
                object_storage._fetch = None
            assert cli.main(["index", "s3://team/notes", *options, "--json"]) == 0
            print("---")
    finally:
        server.kill()
"""


def test_a_cluster_reads_objects_by_itself(isolated: list[str], tmp_path: Path) -> None:
    for package in ("s3fs", "moto", "boto3"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"there is no {package}")
    credentials = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "hush-hush-hush"}
    done = subprocess.run(
        [*isolated, sys.executable, "-c", textwrap.dedent(_PROGRAM), str(tmp_path)],
        env=environment() | credentials | {"AWS_DEFAULT_REGION": "us-east-1"},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    here, there = (json.loads(part[part.index("{") :]) for part in done.stdout.split("---")[:2])
    for name in ("documents", "passages", "tokens", "failed", "problem"):
        assert there[name] == here[name]
    assert (there["documents"], there["problem"]) == (71, "")
    assert [failure["path"] for failure in there["failed"]] == ["s3://team/notes/broken.docx"]
