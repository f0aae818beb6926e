"""Building a Coq development apart from its sources."""

import hashlib
import os
import re
import shutil
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from tempfile import TemporaryDirectory

from dtmodel.base.caches import cache_directory as default_directory
from dtmodel.base.errors import ProverError
from dtmodel.base.files import write_whole
from dtmodel.base.workers import kill_running, run_child
from dtmodel.ledger.evidence import EngineMissing
from dtmodel.ledger.provers.coq_project import FolderText, Project, located

KNOWN = ("8.16",)
"""The versions of Coq that build our development and read its pinned statements."""

_LIMIT = 600.0

_PATIENCE = 20.0  # seconds for short questions to Coq


_HEAP = {"OCAMLRUNPARAM": "s=32M,o=1000"}  # Coq collects garbage less often, which saves a twentieth of the time


def version() -> str:
    """Return the version of coqc on the path; empty if there is none."""
    return _coqc_says()[0]


def unavailable() -> str:
    """Return the reason why Coq cannot be used here; empty if it can."""
    found, reason = _coqc_says()
    if found and not any(found == known or found.startswith(known + ".") for known in KNOWN):
        trial = "try it: python -m dtmodel.ledger.provers.coq proofs/coq"
        return f"coqc {found} is on the path, {', '.join(KNOWN)} is known to work; {trial}"
    return reason


@cache
def _coqc_says() -> tuple[str, str]:
    coqc = shutil.which("coqc")
    if coqc is None:
        return "", "coqc is not on the path (Debian: apt-get install --no-install-recommends coq)"
    try:
        _, said, _ = run_child([coqc, "--version"], _PATIENCE)
    except OSError as error:  # a TimeoutError, too
        return "", f"{coqc} --version does not work: {error}"
    found = re.search(r"version (\d+\.\d+(?:\.\d+)?)", said)
    return (found[1], "") if found else ("", f"{coqc} --version names no version: {' '.join(said.split())[:60]!r}")


def _probe() -> None:
    for text, right in (("Check eq_refl : 1 + 1 = 2.", True), ("Check eq_refl : 1 + 1 = 3.", False)):
        with TemporaryDirectory() as directory:
            write_whole(Path(directory) / "Probe.v", text, synced=False)
            try:
                status, _, _ = run_child(["coqc", "-q", "Probe.v"], _PATIENCE, Path(directory))
            except OSError as error:
                raise EngineMissing(f"coqc does not compile: {error}") from error
        if (status == 0) is not right:
            raise EngineMissing(f"coqc does not work: it {'refuses' if right else 'accepts'} {text!r}")


def build_directory(directory: Path) -> Path:
    """Return the folder in which a development is built, named by the compiled texts and the version of Coq."""
    project = Project.read(directory)
    digest = hashlib.sha256(f"{version()}\n{project.library}\n".encode())
    for text in project.texts(directory):
        digest.update(f"{text.name}\0{text.text}\0".encode())
    return coq_cache_directory() / digest.hexdigest()[:24]


def coq_cache_directory() -> Path:
    """Return the folder of Coq's builds: below ``$DTMODEL_COQ_BUILD``, or beside the other caches."""
    chosen = os.environ.get("DTMODEL_COQ_BUILD")
    return (Path(chosen) if chosen else default_directory(Path(__file__).resolve().parents[3])) / "coq"


def unlisted(directory: Path) -> list[str]:
    """Return a fault for each source that the project file leaves out, since it would never be compiled."""
    listed = Project.read(directory).files
    left = sorted(
        name for path in directory.rglob("*.v") if (name := path.relative_to(directory).as_posix()) not in listed
    )
    return [f"{name} is not in _CoqProject, so nothing compiles it: add it, or remove the file" for name in left]


def build(project: Project, directory: Path, target: Path) -> None:
    """Compile the folders in parallel, longest first; raise `ProverError`, or `EngineMissing` if coqc does not work."""
    _probe()
    texts = {text.name: text for text in project.texts(directory)}
    order = TopologicalSorter({name: text.needs for name, text in texts.items()})
    order.prepare()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        running: dict[Future[None], str] = {}
        try:
            while order.is_active():
                for name in sorted(order.get_ready(), key=lambda name: -len(texts[name].text)):
                    running[pool.submit(_compile_folder, project, target, texts[name])] = name
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    done.result()
                    order.done(running.pop(done))
        except BaseException:  # a file that does not compile, or a signal: stop the other files
            pool.shutdown(wait=False, cancel_futures=True)
            kill_running()
            raise


def _compile_folder(project: Project, target: Path, text: FolderText) -> None:
    write_whole(target / f"{text.name}.v", text.text, synced=False)
    try:
        coqc(project, target, f"{text.name}.v", _LIMIT * len(text.starts))
    except ProverError as error:
        raise ProverError(located(str(error), text)) from error


def run_text(text: str) -> str:
    """Return coqc's output for a text that needs only the standard library; raise `ProverError` if it fails."""
    with TemporaryDirectory() as directory:
        write_whole(Path(directory) / "Text.v", text, synced=False)
        return run_coqc(["Text.v"], Path(directory))


def coqc(project: Project, target: Path, name: str, limit: float = _LIMIT) -> str:
    """Return coqc's output for a file in the folder of the build."""
    return run_coqc(["-w", "-require-in-module", "-Q", ".", project.library, name], target, limit)


def run_coqc(arguments: Sequence[str], where: Path, limit: float = _LIMIT) -> str:
    """Run coqc in a folder and return its output."""
    try:
        status, out, err = run_child(["coqc", "-q", *arguments], limit, where, _HEAP)
    except TimeoutError as error:
        raise ProverError(f"{arguments[-1]} did not compile within {limit:g} s") from error
    if status:
        raise ProverError(f"{arguments[-1]} does not compile: {' '.join(err.split())[:600]}")
    return out
