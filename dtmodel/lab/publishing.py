"""The files of Python for a browser: Pyodide, archives of the package and its libraries, and a stored heap.

Node compiles the archives with Pyodide itself, computes the first answers of the panels, and stores the heap. Nothing
on the finished pages refers to another host.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import warnings
import zipfile
from collections.abc import Mapping
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory

from dtmodel.base.errors import ExtraError, LedgerError
from dtmodel.base.files import whole_file, write_whole
from dtmodel.companion.roots import papers_root
from dtmodel.lab.assets import STATIC
from dtmodel.lab.errata import errata
from dtmodel.lab.panels import recorded
from dtmodel.lab.predictions import formulas

PACKAGE = STATIC.parents[1]
PYODIDE = "314.0.7"
_HASH = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
_LIBRARY = "python_stdlib.zip"
_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", _LIBRARY)
_LIBRARIES: Mapping[str, tuple[str, ...]] = {"dtmodel": ("latex2mathml", "click"), "sympy": ("sympy", "mpmath")}
"""The libraries in each archive, by their names on the index."""
_PACKAGES = {"dtmodel": ("dtmodel",), "sympy": ("sympy", "mpmath")}
_WHEELS = """\
python-flint==0.9.0 --hash=sha256:b31f5c00e0e36040ab58d00b3025156e20869b990d776e4bf90f870b1ee11ad3
z3-solver==5.3.3.0 --hash=sha256:9381d9516345f53b21a8f4df243c5d608e9625aac658c3fb3975457bad260f60
"""
"""The compiled libraries, as ``pip`` fetches them for the ABI of this Pyodide; each is an archive of its own."""
_ABI = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "314", "--only-binary", ":all:", "--no-deps")
_LEFT = {
    "..", "tests", "benchmarks", "testing", "sandbox", "autolev", "latex",
    "quantum", "mechanics", "control", "continuum_mechanics", "biomechanics", "optics", "hep",
}  # fmt: skip
"""The folders of libraries that stay out: tests, and parts of SymPy that nothing here uses."""
_KEPT = (".py", ".toml", ".txt", ".json")


def pyodide(folder: Path) -> Path:
    """Return a folder with Pyodide, fetched by ``npm`` unless `folder` has its package already.

    Raises `ExtraError` if it cannot be fetched, and `LedgerError` if its hash is not the one that is pinned.
    """
    package = folder / f"pyodide-{PYODIDE}.tgz"
    if not package.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        _run(["npm", "pack", "--silent", f"pyodide@{PYODIDE}"], folder)
    if hashlib.sha256(package.read_bytes()).hexdigest() != _HASH:
        raise LedgerError(f"{package} is not pyodide {PYODIDE}: its hash differs")
    with tarfile.open(package) as packed:
        packed.extractall(folder, filter="data")
    return folder / "package"


def _run(command: list[str], folder: Path) -> None:
    program = shutil.which(command[0])
    if program is None:
        raise ExtraError(command[0], install="install Node.js")
    done = subprocess.run([program, *command[1:]], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ExtraError(command[0], install=f"it failed: {(done.stderr or done.stdout).strip()[-600:]}")


def _wheels(folder: Path) -> dict[str, Path]:
    """Return the archives of the compiled libraries by their names, fetched unless `folder` has them already."""
    wanted = folder / "wheels.txt"
    if not wanted.is_file() or wanted.read_text() != _WHEELS:
        write_whole(folder / "wanted.txt", _WHEELS)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--require-hashes", "-r", "wanted.txt", *_ABI]
        _run([*pip, "-d", "."], folder)
        write_whole(wanted, _WHEELS)
    return {"flint.zip": next(folder.glob("python_flint-*")), "z3.zip": next(folder.glob("z3_solver-*"))}


def publish(folder: Path, cache: Path) -> None:
    """Write the files into `folder`; Pyodide, the archives and the heap are kept in `cache`.

    Raises `ExtraError` if node or npm is missing, or fails; warns if the compiled libraries cannot be fetched.
    """
    cache = cache.resolve()
    runtime = pyodide(cache / "pyodide")
    with TemporaryDirectory() as stage:
        _stage(Path(stage))
        kept = cache / _fingerprint(Path(stage))
        if not (kept / "heap").is_file():
            known = {name: cache / f"{name}-{_fingerprint(Path(stage) / name)}.zip" for name in _LIBRARIES}
            for name, path in known.items():
                if path.is_file():
                    write_whole(kept / f"{name}.zip", path.read_bytes())
            kept.mkdir(parents=True, exist_ok=True)
            _run(["node", "--no-warnings", str(STATIC / "make.mjs"), str(runtime), stage, str(kept)], cache)
            for name, path in known.items():
                write_whole(path, (kept / f"{name}.zip").read_bytes())
    for path in (*(runtime / name for name in _FILES), *kept.iterdir(), *STATIC.glob("*.*s*")):
        _copy(path, folder)
    packages = {package: f"{archive}.zip" for archive, packages in _PACKAGES.items() for package in packages}
    try:
        for name, path in _wheels(cache / "wheels").items():
            _pack(path, folder / name)
            packages[name.removesuffix(".zip")] = name
    except ExtraError as error:
        warnings.warn(f"without flint and z3: {error}", stacklevel=2)
    size = (runtime / _LIBRARY).stat().st_size
    write_whole(folder / "packages.json", json.dumps({"packages": packages, "size": size}))


def _pack(wheel: Path, target: Path) -> None:
    """Copy a wheel without headers and the second copy of a library, which a wheel has where others have a link."""
    with zipfile.ZipFile(wheel) as packed, whole_file(target) as file, zipfile.ZipFile(file, "w") as made:
        for item in packed.infolist():
            if not re.search(r"/include/|\.so\.[\d.]+$", item.filename):
                made.writestr(item, packed.read(item), zipfile.ZIP_DEFLATED, 9)


def _copy(path: Path, folder: Path) -> None:
    """Copy a file, compressed unless its format is: few servers compress, and the worker unpacks."""
    large = path.suffix in (".wasm", "") or path.name == "pyodide.asm.mjs"
    content = gzip.compress(path.read_bytes(), mtime=0) if large else path.read_bytes()
    write_whole(folder / f"{path.name}{'.packed' * large}", content)


def _stage(folder: Path) -> None:
    """Lay the sources of the archives into folders of their names, with data that is computed now."""
    for archive, libraries in _LIBRARIES.items():
        for library in libraries:
            for file in distribution(library).files or ():
                if file.suffix in (".py", ".txt") and not _LEFT & {*file.parts}:
                    _place(Path(str(file.locate())), folder / archive / file)
    papers = {f"dtmodel/_papers/{name}": papers_root() / name for name in ("proofs", "validation")}
    for top, root in {"dtmodel": PACKAGE, **papers}.items():
        for path in root.rglob("*"):
            if path.is_file() and path.suffix in _KEPT and "results" not in path.parts:
                _place(path, folder / "dtmodel" / top / path.relative_to(root))
    data = {"players": recorded(), "formulas": formulas(), "errata": list(errata().claims)}
    write_whole(folder / "dtmodel" / "dtmodel" / "lab" / "static" / "made.json", json.dumps(data))


def _place(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256((STATIC / "make.mjs").read_bytes())
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
