"""Serves a published library with Ray Serve: deployment, calls with a deadline, updates."""

import contextlib
import hashlib
import logging
import platform
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, cast

import core
from core.cluster.connection import LOCAL, connection, sentence_of
from core.cluster.serve_deployment import CALLS_PER_REPLICA, LibraryReplica, read_current
from core.errors import Cancelled, ClusterError, UsageError, WinnowError
from core.files import paths
from core.progress import Job
from core.publishing.store import Store, open_store
from core.requests import Request, Response

# Processors that Ray reserves for one replica.
_PROCESSORS: Final = 0.5
_DEPLOYMENT: Final = "library"
# Seconds between checks for a newer snapshot.
_POLL_S: Final = 20.0
# Seconds between checks of the replicas while they start.
_STATUS_POLL_S: Final = 0.5
# Seconds that starting waits for further replicas after the first one is ready.
_FURTHER_REPLICAS_S: Final = 15.0
# Seconds before a request is sent again whose replica has ended.
_RETRY_S: Final = 0.2
# Seconds that stopping waits for the thread that looks for newer snapshots.
_STOP_S: Final = 5.0
# Rounds of calls that open a snapshot; in each, a replica may be missed by chance.
_OPENING_ROUNDS: Final = 10
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Deployment:
    """A published library to deploy.

    Attributes:
        library: where the library is published; every machine must reach it there.
        replicas: number of processes that answer.
        model: as `LibraryOptions.model`; "" for the built-in default.
        deadline_s: seconds after which a request fails.
        poll_s: seconds between checks for a newer snapshot.
    """

    library: str
    replicas: int
    model: str = ""
    deadline_s: float = 30.0
    poll_s: float = _POLL_S


class ServeAnswerer:
    """Answers requests through the replicas of a published library; thread-safe.

    All requests name the same snapshot until every replica has opened the next one, so that
    consecutive requests never go back to an older snapshot.
    """

    def __init__(
        self, ray: Any, name: str, handle: Any, store: Store, deployment: Deployment
    ) -> None:
        """Answer through an application of Ray Serve that runs, after the first `refresh`."""
        from ray.serve.exceptions import RayServeException

        self._ray = ray
        self._name = name
        self._handle = handle
        self._store = store
        self._deployment = deployment
        # The id of the snapshot that answers.
        self.snapshot = ""
        # Replicas that end, restart or cannot be reached for a moment; requests only read, so that
        # each may be sent again.
        self._transient = ray.exceptions.RayError, RayServeException

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        """Return the response to a request.

        Raises:
            WinnowError: raised by the library's `answer`, or no replica responds in time.
            Cancelled: the job was cancelled.
        """
        snapshot = self.snapshot
        result = self._call(
            lambda: self._handle.answer.remote(snapshot, request),
            self._deployment.deadline_s,
            job or Job(),
        )
        return cast("Response", result)

    def refresh(self, job: Job | None = None) -> bool:
        """Open the newest snapshot on all replicas, then use it; return whether it is another.

        Raises:
            LibraryError: nothing is published, or a replica cannot open it; the previous one stays
                in use.
            ClusterError: no replica answers.
            Cancelled: the job was cancelled.
        """
        newest = read_current(self._store)
        if newest == self.snapshot:
            return False
        self._open(newest, job or Job())
        self.snapshot = newest
        return True

    def follow(self, job: Job) -> None:
        """Switch to newer snapshots as they are published, until the job is cancelled."""
        while True:
            job.rest(self._deployment.poll_s)
            try:
                if self.refresh(job):
                    _log.info("Serving snapshot %s", self.snapshot)
            except (WinnowError, *self._transient) as error:
                _log.warning("Keeping the previous snapshot: %s", error)

    def running(self) -> int:
        """Return the number of replicas that take requests."""
        return _running(self._name)

    def _open(self, snapshot: str, job: Job) -> None:
        """Open a snapshot on all replicas; one not reached opens it with its first request."""
        opened: set[str] = set()
        for _ in range(_OPENING_ROUNDS):
            count = max(self.running(), 1)
            # Ray Serve routes to the replica with fewer calls, so that most are called once.
            with ThreadPoolExecutor(count) as threads:
                opened.update(
                    threads.map(lambda _: self._open_snapshot(snapshot, job), range(count))
                )
            if len(opened) >= count:
                return

    def _open_snapshot(self, snapshot: str, job: Job) -> str:
        return cast("str", self._call(lambda: self._handle.open.remote(snapshot), None, job))

    def _call(self, send: Callable[[], Any], timeout_s: float | None, job: Job) -> object:
        """Return a replica's result; send the request again while replicas restart.

        Raises:
            WinnowError: a replica returned it, or none answers in time.
            Cancelled: the job was cancelled.
        """
        end_s = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            job.checkpoint()
            response = send()
            try:
                with job.on_cancel(response.cancel):
                    left_s = None if end_s is None else max(end_s - time.monotonic(), 0.0)
                    result = response.result(timeout_s=left_s)
            except TimeoutError as error:
                response.cancel()
                job.checkpoint()
                raise ClusterError(_LATE, f"{timeout_s:.0f}") from error
            except self._ray.exceptions.RayTaskError as error:
                job.checkpoint()
                raise sentence_of(error) from error
            except self._transient as error:
                job.checkpoint()
                _log.warning("Retrying a request: %s", str(error).partition("\n")[0])
                if end_s is not None and time.monotonic() + _RETRY_S > end_s:
                    raise ClusterError(_LATE, f"{timeout_s:.0f}") from error
                job.rest(_RETRY_S)
                continue
            if isinstance(result, WinnowError):
                raise result
            return cast("object", result)


_LATE: Final = "The cluster did not respond within {0} seconds. Try again in a moment."


@contextlib.contextmanager
def deployed(
    address: str, deployment: Deployment, report: Callable[[int], None] = lambda _running: None
) -> Iterator[ServeAnswerer]:
    """Deploy a published library on the cluster at an address, and delete it after the block.

    Args:
        address: of the cluster, as for `core.cluster.connection.connection`, but not ray://.
        deployment: the library and its number of replicas.
        report: called with the number of replicas that are ready, once the library answers.

    Raises:
        UsageError: Ray is not installed, or an address is not valid.
        ClusterError: the cluster does not answer, or replicas cannot be started.
        LibraryError: nothing is published, or it cannot be opened on the cluster's machines.
    """
    if address.startswith("ray://"):
        raise UsageError(
            "The server must run on a machine of the cluster. Join it with ray start "
            "--address=HOST:PORT, and pass that address or auto instead of {0}.",
            address,
        )
    store = open_store(deployment.library)
    # Before anything is started, so that a wrong address costs no time.
    read_current(store)
    with connection(address) as ray:
        serve = _import_serve()
        # No HTTP proxy: only this process sends requests, through a handle.
        serve.start(proxy_location="Disabled")
        name = _application_name(store.address)
        target = _application(serve, store.address, deployment)
        (handle,) = serve.run_many(
            [serve.RunTarget(target, name=name, route_prefix=None)],
            wait_for_applications_running=False,
        )
        try:
            _wait_until_running(name, deployment.replicas)
            answerer = ServeAnswerer(ray, name, handle, store, deployment)
            answerer.refresh()
            report(answerer.running())
            with _following(answerer):
                yield answerer
        finally:
            if address != LOCAL:
                serve.delete(name)


def _import_serve() -> Any:
    try:
        from ray import serve
    except ModuleNotFoundError as error:
        raise UsageError(
            "A part of Ray is not installed ({0}). Run: pip install 'winnow-search[cluster]'.",
            error,
        ) from error
    logging.getLogger("ray.serve").setLevel(logging.ERROR)
    return serve


def _application(serve: Any, address: str, deployment: Deployment) -> Any:
    deployed_class = serve.deployment(
        LibraryReplica,
        name=_DEPLOYMENT,
        num_replicas=deployment.replicas,
        # One more, so that opening a snapshot does not block a request.
        max_ongoing_requests=CALLS_PER_REPLICA + 1,
        ray_actor_options={"num_cpus": _PROCESSORS},
        user_config={"version": core.__version__},
        graceful_shutdown_wait_loop_s=0.5,
        graceful_shutdown_timeout_s=5.0,
        logging_config={"log_level": "WARNING", "enable_access_log": False},
    )
    return deployed_class.bind(address, deployment.model)


def _application_name(library: str) -> str:
    """Return a name for the application: one for each server's home and published library.

    A server that was killed takes over its name, and Ray Serve replaces the replicas it left.
    """
    key = f"{platform.node()}\0{paths.home()}\0{library}"
    return f"winnow-{hashlib.sha256(key.encode()).hexdigest()[:12]}"


def _wait_until_running(name: str, wanted: int) -> None:
    """Wait until a replica runs, and a little longer for the others.

    Raises:
        ClusterError: replicas cannot be started.
    """
    from ray import serve

    first_s: float | None = None
    while True:
        application = serve.status().applications.get(name)
        if application is not None and application.status == "DEPLOY_FAILED":
            _log.warning("%s", application.message)
            lines = application.message.strip().splitlines()
            raise ClusterError("The cluster cannot start replicas: {0}", lines[-1] if lines else "")
        running = _running(name)
        if running and first_s is None:
            first_s = time.monotonic()
        if running >= wanted:
            return
        if first_s is not None and time.monotonic() - first_s > _FURTHER_REPLICAS_S:
            return
        time.sleep(_STATUS_POLL_S)


def _running(name: str) -> int:
    from ray import serve

    application = serve.status().applications.get(name)
    if application is None or _DEPLOYMENT not in application.deployments:
        return 0
    states = application.deployments[_DEPLOYMENT].replica_states
    return int(states.get("RUNNING", 0))


@contextlib.contextmanager
def _following(answerer: ServeAnswerer) -> Iterator[None]:
    """Switch to newer snapshots on a thread during the block."""
    job = Job()

    def follow() -> None:
        with contextlib.suppress(Cancelled):
            answerer.follow(job)

    thread = threading.Thread(target=follow, name="winnow-snapshots", daemon=True)
    thread.start()
    try:
        yield
    finally:
        job.cancel()
        thread.join(_STOP_S)
