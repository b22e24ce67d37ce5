"""Library: the interface of the window, the command line and scripts to Winnow."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from core import requests
from core.alignment.pairwise import AlignmentStrategy
from core.alignment.reduction import TokenReduction
from core.catalog import copies, document_queries, documents
from core.catalog.catalog import Catalog
from core.catalog.catalog_file import quarantine
from core.catalog.copies import CopiesReport
from core.catalog.documents import Failure, ReadDocument
from core.catalog.files import file_lists
from core.catalog.files.file_lists import FileGroup, FileList
from core.catalog.files.folders import Folder, FolderRules
from core.catalog.reports import CheckReport, Preview, SampleText, Shares, Status, SyncReport
from core.catalog.scope import EVERYWHERE, Scope
from core.documents.document import Document
from core.documents.reader import SCRATCH, Reader
from core.documents.sandbox.scratch import sweep
from core.encoders import graphics
from core.errors import Message, ModelError, WinnowError
from core.files import own_files, paths
from core.index.native import loops
from core.index.probing import ProbeParams
from core.indexing.build.generations import Generations, IndexOverrides
from core.indexing.build.index_settings import Choosing, index_part
from core.indexing.scan.excluded_files import OnPart, excluded_files
from core.library.answering import Answering
from core.process_memory import release_memory
from core.progress import Job
from core.responses import Mode, SearchResults
from core.search.caches import SearchCaches
from core.search.query.addressing import with_unknown_libraries
from core.search.stored_texts import StoredTexts
from core.search.teaching import Teaching
from core.settings import Settings, chosen
from core.throttle import Throttle
from core.writer_lock import writing

if TYPE_CHECKING:
    from core.indexing.read.executor import Executor
    from core.indexing.rebuild import Rebuild
    from core.indexing.scan.watching import Watcher
    from core.publishing.publisher import PublishReport

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LibraryOptions:
    """Options for building and searching a library's index.

    Attributes:
        bits: of the codec, per dimension: 1, 2, 4, or 32 for uncompressed vectors; None for the
            settings' value. If it differs from the index's, the next sync rebuilds the index.
        alignment: how a query's tokens are aligned with a passage's; None for the library's
            adopted alignment, or each token's best match if there is none.
        model: a built-in model's name or a model's folder; None for the library's own.
        keeping: how a passage's vectors are reduced; None for the settings' value. If it differs
            from the index's, the next sync rebuilds the index, too.
        probe_params: how much of the index a search by meaning visits; None for the default.
        is_read_only: whether the library can only be searched and read; it must exist.
        is_foreign: whether others may have written it. It is checked
            (`core.catalog.integrity.foreign`), only read, and searched with the settings and models
            of the shared library.
        foreign_name: what messages call it; its folder by default.
        shared_library: another library, whose loaded model is shared if it is the same.
        service: answers searches while it is running, so that no model is loaded here; see
            `core.daemon_client.client.ServiceAnswerer`.
        scratch: folder for temporary files while documents are shown; None for the library's own.
    """

    bits: int | None = None
    alignment: AlignmentStrategy | None = None
    model: str | None = None
    keeping: TokenReduction | None = None
    probe_params: ProbeParams | None = None
    is_read_only: bool = False
    is_foreign: bool = False
    foreign_name: str = ""
    shared_library: Library | None = None
    service: requests.OptionalAnswerer | None = None
    scratch: Path | None = None


class Library:
    """A person's folders, made searchable.

    All methods may be called from any thread, `close` at any moment. Methods that change the index
    take the library's lock; searches continue meanwhile, in this and other processes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home, Library.open(Path(home)) as library:
    ...     library.status().documents
    0
    """

    def __init__(self, home: Path, options: LibraryOptions) -> None:
        self.home = home
        self._catalog = Catalog(
            home / "catalog.sqlite",
            is_read_only=options.is_read_only,
            is_foreign=options.is_foreign,
            foreign_name=options.foreign_name,
        )
        try:
            shared = options.shared_library
            lent = Settings() if shared is None else shared._settings  # noqa: SLF001 - another of us
            used = lent if options.is_foreign else chosen(home / "settings.json")
            self._settings: Settings = used
            overrides = IndexOverrides(options.model or "", options.bits, options.keeping)
            self._generations: Generations = Generations(
                self._catalog,
                overrides,
                self._settings,
                shared._generations if shared is not None else None,  # noqa: SLF001 - another of us
            )
            self._caches = SearchCaches()
            # Two readers: a page is drawn while another document is being read.
            ocr = self._recognises(self._settings)
            scratch = options.scratch or home / SCRATCH
            self._reader = Reader(scratch=scratch, ocr=ocr)
            self._drawer = Reader(scratch=scratch)
            self._answering = Answering(
                self._catalog,
                self._generations,
                self._drawer,
                self._caches,
                options.alignment,
                options.probe_params or ProbeParams(),
                options.service,
            )
            if self._catalog.may_change:
                own_files.tighten(home)
                try:
                    sweep(home / SCRATCH)
                except WinnowError as error:  # searching still works; `check` reports it
                    _log.warning("%s", error)
        except BaseException:
            self._catalog.close()
            raise

    @classmethod
    def open(cls, home: Path | str | None = None, options: LibraryOptions | None = None) -> Library:
        """Open the library in the folder `home`; create it if necessary.

        Takes milliseconds: the model is loaded when it is first needed, or by `warm_up`.

        Args:
            home: by default the window's: `WINNOW_HOME`, or the system's folder for a program's
                data.
            options: deviations from the defaults.

        Raises:
            LibraryError: it cannot be opened, is damaged, or was written by a newer Winnow.
            ModelError: the model's files are missing.
            UsageError: the options are invalid.
        """
        path = paths.absolute(home) if home else paths.home()
        return cls(path.absolute(), options or LibraryOptions())

    @classmethod
    def recreate(cls, home: Path | str | None = None) -> None:
        """Replace a library that is too damaged to open with a new one.

        The new library gets the folders, rules and judgements of the old one, as far as they are
        known; the next sync reads all files again. The old one is kept until a folder is removed.

        Raises:
            LibraryBusyError: another Winnow is indexing.
            LibraryError: it cannot be moved aside, or no new one can be created.
        """
        path = (paths.absolute(home) if home else paths.home()).absolute()
        with writing(path):
            quarantine(path / "catalog.sqlite")
            Catalog(path / "catalog.sqlite").close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Folders

    def folders(self) -> tuple[Folder, ...]:
        """Return the added folders, by path, with the numbers of their documents."""
        return self.answer(requests.ListFolders())

    def add_folder(self, folder: Path | str, rules: FolderRules | None = None) -> Folder:
        """Add a folder; its documents can be found after the next `sync`.

        A subfolder of an added folder adds nothing; a folder that contains added folders replaces
        them, and their documents are not read again. `rules` also replace the rules of a folder
        that was added before.

        Raises:
            FolderError: the folder does not exist or cannot be read; `rules` were given for a
                subfolder of another; or a collection has its name.
            UsageError: one of the rules' patterns is invalid.
        """
        from core.indexing import syncing

        folder_id = syncing.add_folder(self._catalog, Path(folder), rules)
        return next(folder for folder in self.folders() if folder.id == folder_id)

    def describe_folder(self, folder: Path | str, description: str) -> None:
        """Store the person's one-line description of a folder; "" removes it.

        It is shown with results, mainly for agents.

        Raises:
            FolderError: it is not one of the library's folders.
            UsageError: it has more than 500 characters.
        """
        from core.indexing import syncing

        syncing.describe_folder(self._catalog, Path(folder), description)

    def remove_folder(self, folder: Path | str, job: Job | None = None) -> None:
        """Remove a folder, and erase all data read from it from the disk.

        Raises:
            FolderError: it is not one of the library's folders.
            Cancelled: the job was cancelled; the folder is removed, and the next `sync` erases the
                rest of its data.
        """
        from core.indexing import syncing

        job = job or Job()
        try:
            syncing.remove_folder(self._catalog, self._generations, self._reader, Path(folder), job)
        finally:
            self._drawer.forget()

    def preview(
        self,
        folder: Path | str,
        rules: FolderRules | None = None,
        job: Job | None = None,
        model: str = "",
    ) -> Preview:
        """Return which files of a folder would be read or excluded, without reading any.

        `read_sample` corrects its estimates.

        Args:
            folder: one of the library's, or any other.
            rules: by default the folder's stored rules.
            job: receives progress.
            model: chosen with the folder; by default that of the settings.

        Raises:
            FolderError: the folder does not exist or cannot be read.
            UsageError: one of the rules' patterns is invalid.
            Cancelled: the job was cancelled.
        """
        from core.indexing.stats import preview

        chosen = replace(self._settings, model=model)
        target = self._generations.target_by(chosen) if model else self._generations.target
        result = preview(self._catalog, target, Path(folder), rules, job or Job())
        return result if self._settings.ocr else replace(result, has_recognition=False)

    def read_sample(self, preview: Preview, job: Job | None = None) -> SampleText:
        """Read the sample of a preview, as far as some seconds allow.

        Raises:
            Cancelled: the job was cancelled.
        """
        from core.indexing.text_sample import read_sample

        # Not by the reader of a sync, which may recognise text in pictures.
        return read_sample(self._drawer, preview.sample, job or Job())

    def offered_share(self, texts: Sequence[str] | None = None) -> float:
        """Return the share of texts for which the multilingual model is offered; 0 for no offer.

        Args:
            texts: the beginnings of documents to be added; None for the library's texts.
        """
        from core.library.model_offer import offered_share

        return offered_share(self._catalog, self._generations, self._settings, texts)

    def is_offered_for(self, query: str) -> bool:
        """Return whether the multilingual model is offered for a query in another language."""
        from core.library.model_offer import is_offered_for

        return is_offered_for(query, self._generations, self._settings)

    def add_collection(
        self, name: str, keyed_documents: Iterable[tuple[str, Document]]
    ) -> dict[int, str]:
        """Add documents from a program instead of files; return their keys by number.

        They are searchable by words at once, and by meaning after the next `sync`.

        Args:
            name: the name of the collection; not a path.
            keyed_documents: documents with unique keys.

        Raises:
            UsageError: the collection has a document with one of these keys, or has a folder's
                name; nothing is added.
        """
        from core.indexing import syncing

        return syncing.add_collection(self._catalog, self._generations, name, keyed_documents)

    # Syncing

    def sync(
        self,
        job: Job | None = None,
        changed: Iterable[Path] | None = None,
        *,
        background: bool = False,
        executor: Executor | None = None,
    ) -> SyncReport:
        """Sync the library with its folders: scan, read, encode, publish.

        It may be cancelled or killed at any time: the next sync continues. Documents of missing
        folders (on an unplugged drive) are kept. The current settings are applied.

        Args:
            job: receives progress, and may cancel.
            changed: the paths to scan; None for everywhere.
            background: limit the load as in the settings.
            executor: reads files and encodes passages; None for this process. For a cluster, see
                `core.cluster.executor.connected`.

        Raises:
            Cancelled: the job was cancelled; finished work remains.
            LibraryBusyError: another Winnow is indexing.
            DiskFullError: the disk is full; stored data is not lost.
            ModelError: the model cannot be loaded, or does not run on the device of the settings.
        """
        from core.indexing import stats, syncing

        self._catalog.check_writable()
        began_s = time.monotonic()
        job = job or Job()
        self.take_settings()
        if background:
            job.throttle(Throttle(self._settings.background_load))
        before = graphics.failures()
        done = syncing.sync(self._catalog, self._generations, self._reader, job, changed, executor)
        if self._generations.drop_replaced():
            # Of a model that another one has replaced.
            release_memory()
        seconds = time.monotonic() - began_s
        report = stats.report(self.status(), self.failures(), done, seconds)
        notice = Message.joined(graphics.failures()[len(before) :])
        return replace(report, notice=notice)

    def retry(self, path: Path | None = None) -> int:
        """Mark unreadable files to be tried again by the next sync; return their number.

        Without this, they are tried again when they change. With `path`, only that file is marked.
        """
        with self._catalog.transaction() as db:
            return documents.set_failed_waiting(db, path)

    def watcher(self, *, unhurried: bool = False) -> Watcher:
        """Return a watcher of changes in the current folders, for `sync`.

        An unhurried one reports a second later, and wakes up the processor a fifth as often.
        """
        from core.indexing import syncing

        return syncing.watcher_of(self._catalog, unhurried=unhurried)

    def check(self, *, repairs: bool = False, job: Job | None = None) -> CheckReport:
        """Verify all stored data; with `repairs`, rebuild damaged parts.

        Without it, a library on a read-only disk is checked, too.

        Raises:
            Cancelled: the job was cancelled.
            LibraryBusyError: another Winnow is indexing.
            LibraryDamagedError: the catalog is unreadable, and `repairs` is False.
        """
        from core.library import maintenance

        return maintenance.check(
            self.home, self._catalog, self._generations, self._reader, job or Job(), repairs=repairs
        )

    def rebuild(self) -> None:
        """Make the next sync rebuild the index from the files; the old one stays in use until then.

        The rebuild may be cancelled or killed at any time: the next sync continues.

        Raises:
            ModelError: the chosen model is missing.
            LibraryBusyError: another Winnow is indexing.
            LibraryError: the catalog is damaged beyond repair.
        """
        self._catalog.check_writable()
        with writing(self.home):
            self._rebuild().begin()

    def keep_as_built(self) -> None:
        """Cancel a rebuild; data that has not been replaced yet stays.

        Raises:
            LibraryBusyError: another Winnow is indexing.
        """
        self._catalog.check_writable()
        with writing(self.home):
            self._rebuild().give_up()

    def _rebuild(self) -> Rebuild:
        from core.indexing.rebuild import Rebuild

        return Rebuild(self._catalog, self._generations)

    # Publishing

    def publish(
        self, target: str, name: str = "", job: Job | None = None, *, checks: bool = False
    ) -> PublishReport:
        """Publish a snapshot of the library for others to search; copies only new data.

        Personal data is left out: judgements, rules of folders, settings. The previous snapshot
        stays readable for a day.

        Args:
            target: a folder, or the address of a bucket (s3://…).
            name: shown to others; by default the previously published name, or else the name of
                the first folder.
            job: receives progress, and may cancel.
            checks: whether previously published data is verified and repaired.

        Raises:
            Cancelled: the job was cancelled; the previous snapshot is unchanged.
            UsageError: the target contains a password, or contains or is this library.
            LibraryBusyError: another program publishes there.
            LibraryError: the target cannot be reached or written.
        """
        # Imported here, because few libraries are published.
        from core.library.publication import publish

        return publish(
            self.home, self._catalog, self._generations, target, name, job or Job(), checks=checks
        )

    # Settings

    @property
    def choosing(self) -> Choosing:
        """The settings that determine the library's index, with options and costs."""
        path = self.home / "settings.json"
        return Choosing(path, self._catalog, self._generations, self.take_settings)

    def take_settings(self) -> None:
        """Apply the settings in their file.

        The model's device changes at once; the other settings apply with the next sync.

        Raises:
            ModelError: the model cannot run on that device; the old one stays in use.
        """
        settings = chosen(self.home / "settings.json")
        if index_part(settings) != index_part(self._settings):
            self._generations.take(settings)
        if settings.ocr != self._settings.ocr:
            self._reader.recognise(is_on=self._recognises(settings))
        self._settings = settings

    @staticmethod
    def _recognises(settings: Settings) -> bool:
        """Return whether text in pictures is recognised."""
        if not settings.ocr:
            return False
        from core.documents.pages.recognition import is_installed

        return is_installed()

    # In numbers

    def failures(self) -> tuple[Failure, ...]:
        """Return the files that could not be read, with the reasons."""
        with self._catalog.reading() as db:
            return file_lists.listed(db, FileList.UNREADABLE)

    def list_files(
        self,
        which: FileList,
        job: Job | None = None,
        on_part: OnPart | None = None,
        *,
        is_complete: bool = False,
    ) -> tuple[FileGroup, ...]:
        """Return the files of a list by reason, all if `is_complete`, else the first per reason.

        The names of files that are left out are not stored: their folders are scanned, and
        `on_part` is called several times a second with what was found so far.

        Raises:
            Cancelled: the job was cancelled.
        """
        if which is FileList.EXCLUDED:
            return excluded_files(self._catalog, job or Job(), on_part, is_complete=is_complete)
        with self.with_job(job), self._catalog.reading() as db:
            return file_lists.groups(db, which, is_complete=is_complete)

    def set_seen(self) -> None:
        """Store that the person has seen the counts of the status, which then has no news."""
        with self._catalog.transaction() as db:
            file_lists.set_seen(db, file_lists.counts(db))

    def status(self) -> Status:
        """Return the library's totals and state."""
        from core.indexing import stats

        return stats.status(self.home, self._catalog, self._generations)

    def with_job(self, job: Job | None) -> contextlib.AbstractContextManager[None]:
        """Cancel this thread's queries in the block with its job; see `Catalog.watched`."""
        return self._catalog.watched(job)

    def check_newer(self) -> None:
        """Raise `LibraryError` if it can no longer be read, for example after an upgrade."""
        self._catalog.check_newer()

    def shares(self) -> Shares:
        """Return the library's disk usage by folder; reads every passage."""
        from core.indexing import stats

        return stats.shares(self._catalog)

    def copies(self, most: int = 500) -> CopiesReport:
        """Return at most `most` groups of copies, and of versions; reads every document."""
        with self._catalog.reading() as db:
            return copies.report(db, most)

    # Requests

    def answer(
        self, request: requests.Request[requests.Response], job: Job | None = None
    ) -> requests.Response:
        """Return the response to a request; see `core.requests`.

        Raises:
            WinnowError: raised by the method of the request's name.
            Cancelled: the job was cancelled.
        """
        return self._answering.answer(request, job)

    # Searching

    def search(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 20,
        scope: Scope = EVERYWHERE,
        job: Job | None = None,
        is_refined: bool = True,
        rewrites: frozenset[requests.QueryRewrite] = requests.NO_REWRITE,
        is_folded: bool = True,
        is_alone: bool = True,
    ) -> SearchResults:
        """Return the best documents for a query, each with its best passages and their scores.

        The index finds them in milliseconds. In a search by meaning, the best passages of the first
        20 documents are then reranked by all their tokens instead of the fewer vectors in the
        index, which takes another tenth to a third of a second.

        Args:
            query: words, questions and filters, as they are typed into the box.
            mode: by words, by meaning, or by both, as a `Mode` or its name. If the model is
                missing, the search is by words, and `notice` says so.
            limit: maximum number of documents.
            scope: restricts the search in addition to the query's own filters: only documents in
                it are found.
            job: cancels the search.
            is_refined: whether results are reranked; otherwise they have the index's order.
            rewrites: how the query may be changed before it is searched for.
            is_folded: whether copies and versions of a document are folded into one result, which
                names them; else each is a separate result.
            is_alone: whether no other library is searched, so that a query cannot name one.

        Raises:
            UsageError: the query is empty or too long, or the limit is below 1.
            ModelError: the model cannot be loaded (by words none is needed).
            LibraryError: the library cannot be read.
            Cancelled: the job was cancelled.
        """
        request = requests.Search(query, Mode(mode), limit, scope, is_refined, rewrites, is_folded)
        results = self.answer(request, job)
        return with_unknown_libraries(results, query) if is_alone else results

    def rank(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 100,
        is_refined: bool = True,
    ) -> list[tuple[int, float]]:
        """Return the numbers of the best `limit` documents with their scores, without reasons.

        The query is plain text, without operators.
        """
        ranker, possible, _ = self._answering.ranker(Mode(mode))
        pipeline = self._answering.pipeline(ranker)
        return pipeline.rank(query, possible, limit, is_refined=is_refined)

    @property
    def alignment(self) -> AlignmentStrategy:
        """The alignment in use, as given in the options or adopted."""
        try:
            return self._answering.strategy_of(self._generations.answering())
        except ModelError:
            return AlignmentStrategy()

    @property
    def teaching(self) -> Teaching:
        """The person's judgements, and the alignment proposed from them."""
        return Teaching(self._catalog, self._generations.answering, self._answering.meaning_ranker)

    @property
    def is_warm(self) -> bool:
        """Whether the model is loaded, so that a search by meaning does not wait for it."""
        return any(
            generation.loaded_encoder is not None for generation in self._generations.opened()
        )

    def warm_up(self) -> None:
        """Load model, index and compiled loops, so that searching by meaning is fast at once.

        Raises:
            ModelError: it cannot be loaded.
        """
        generation = self._generations.answering()
        encoder = generation.query_encoder()
        encoder.encode_queries([encoder.query_tokens("warm")])
        encoder.tokenizer.readable_share("warm")
        loops.load()
        generation.searcher.warm_up()

    def release_model(self) -> None:
        """Free the model's memory, as far as the system allows; the next search loads it again."""
        for generation in self._generations.opened():
            generation.release_encoder()
        release_memory()

    def background_vocabulary(self) -> Callable[[Job], None]:
        """Return a function that loads the spelling vocabulary, so that no search waits for it.

        Call it at once, and again when the library has grown. Until then, no spelling is suggested
        in a large library, where loading takes seconds.
        """
        self._caches.vocabulary.compute_in_background()

        def learn(job: Job) -> None:
            with self._catalog.reading() as db:
                self._caches.vocabulary.learn(db, job)

        return learn

    # Documents

    @property
    def texts(self) -> StoredTexts:
        """The stored text of documents and passages."""
        return self._answering.texts

    def documents(self) -> tuple[ReadDocument, ...]:
        """Return the documents that were read, by path."""
        with self._catalog.reading() as db:
            return document_queries.read(db)

    def close(self) -> None:
        """Close files and reading processes; calls under way end with `LibraryClosedError`."""
        self._catalog.close()  # first, so that a call about to end opens nothing again
        self._generations.close()
        self._reader.close()
        self._drawer.close()
