"""The files of Python for a browser: Pyodide, archives of the package and its libraries, and a stored heap.

Node compiles the archives, computes first answers, and stores the heap. No page refers to another host.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import lzma
import re
import shutil
import subprocess
import sys
import tarfile
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory

from dtmodel.base.errors import ExtraError, LedgerError
from dtmodel.base.files import whole_file, write_whole
from dtmodel.companion.roots import papers_root
from dtmodel.lab.assets import STATIC
from dtmodel.lab.errata import errata
from dtmodel.lab.panels import recorded
from dtmodel.lab.predictions import conditions, formulas

PACKAGE = STATIC.parents[1]
PYODIDE = "314.0.7"
_HASH = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
_LIBRARY = "python_stdlib.zip"
ARCHIVE = ".tar.xz"
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
_PRINTERS = ("glsl", "julia", "maple", "mathematica", "mathml", "octave", "preview", "rcode", "smtlib")
_UNUSED = (
    *("mpmath/function_docs", "sympy/algebras/quaternion", "sympy/geometry", "sympy/integrals/laplace"),
    *("sympy/interactive", "sympy/plotting", "sympy/polys/agca/modules", "sympy/series/formal", "sympy/series/fourier"),
    *("sympy/sets/ordinals", "sympy/solvers/ode", "sympy/solvers/pde", "sympy/solvers/recurr"),
    *("sympy/solvers/diophantine/diophantine", "sympy/polys/numberfields/basis"),
    *("sympy/polys/numberfields/galoisgroups", "sympy/polys/numberfields/primes"),
    *(f"sympy/printing/{name}" for name in _PRINTERS),
)
"""Modules that SymPy imports and nothing here uses: `_STUB` in their place keeps 4 MB out of the memory of a page."""
_QUINTIC = "from sympy.polys.polyquinticconst import PolyQuintic\n"
"""An import of the largest module of SymPy, which only roots of a polynomial of degree 5 need: it is made there."""
_STUB = """\
def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    def left_out(*_, **__):
        raise NotImplementedError(f"{__name__}.{name} is not in the SymPy of this page")
    return type(name, (), {"__init__": left_out})
"""
_KEPT = (".py", ".toml", ".txt", ".json")


def pyodide(folder: Path) -> Path:
    """Return a folder with Pyodide, fetched if need be (else `ExtraError`), with the pinned hash (`LedgerError`)."""
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
    """Return the compiled libraries by the names of their archives, fetched unless `folder` has them already."""
    wanted = folder / "wheels.txt"
    if not wanted.is_file() or wanted.read_text() != _WHEELS:
        write_whole(folder / "wanted.txt", _WHEELS)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--require-hashes", "-r", "wanted.txt", *_ABI]
        _run([*pip, "-d", "."], folder)
        write_whole(wanted, _WHEELS)
    return {"flint": next(folder.glob("python_flint-*.whl")), "z3": next(folder.glob("z3_solver-*.whl"))}


def publish(folder: Path, cache: Path) -> None:
    """Write the files into `folder`, large ones kept in `cache`; `ExtraError` if node or npm is missing or fails."""
    cache = cache.resolve()
    runtime = pyodide(cache / "pyodide")
    try:
        wheels = _wheels(cache / "wheels")
    except ExtraError as error:
        warnings.warn(f"without flint and z3: {error}", stacklevel=2)
        wheels = {}
    with TemporaryDirectory() as place:
        stage = Path(place)
        _stage(stage)
        kept = cache / _fingerprint(stage) / "heap"
        archives = {name: cache / f"{name}-{_fingerprint(stage / name)}{ARCHIVE}" for name in _LIBRARIES}
        if not archives["dtmodel"].is_file() or not kept.is_file():
            for name, path in archives.items():
                if name != "dtmodel" and path.is_file():  # the heap needs the package
                    shutil.rmtree(stage / name)
            kept.parent.mkdir(parents=True, exist_ok=True)
            _run(["node", "--no-warnings", str(STATIC / "make.mjs"), str(runtime), place, str(kept)], cache)
        archives |= {name: path.with_suffix(ARCHIVE) for name, path in wheels.items()}
        with ThreadPoolExecutor() as threads:
            missing = [(name, path) for name, path in archives.items() if not path.is_file()]
            list(threads.map(lambda each: _pack(wheels.get(each[0], stage / each[0]), each[1]), missing))
    for path in (*(runtime / name for name in _FILES), kept, *STATIC.glob("*.*s*")):
        _copy(path, folder)
    for name, path in archives.items():
        write_whole(folder / f"{name}{ARCHIVE}", path.read_bytes())
    packages = {package: name for name in archives for package in _PACKAGES.get(name, (name,))}
    size = (runtime / _LIBRARY).stat().st_size
    write_whole(folder / "packages.json", json.dumps({"packages": packages, "size": size}))


def _pack(source: Path, target: Path) -> None:
    """Write an archive, a third smaller than a zip file, of a folder or wheel; 1 MB of memory unpacks it."""
    small = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 2**20}]
    with (
        whole_file(target) as file,
        lzma.open(file, "wb", filters=small) as packed,
        tarfile.open(fileobj=packed, mode="w|") as made,
    ):
        for name, content in _content(source):
            item = tarfile.TarInfo(name)
            item.size = len(content)
            made.addfile(item, io.BytesIO(content))


def _content(source: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a folder, or of a wheel without headers and second copies of libraries (elsewhere links)."""
    if source.is_dir():
        for path in sorted(path for path in source.rglob("*") if path.is_file()):
            yield path.relative_to(source).as_posix(), path.read_bytes()
        return
    with zipfile.ZipFile(source) as packed:
        for name in sorted(packed.namelist()):
            if not re.search(r"/include/|/tests?/|\.so\.[\d.]+$", name):
                yield name, packed.read(name)


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
                    write_whole(folder / archive / file, file.read_binary(), synced=False)
    for part in _UNUSED:
        shutil.rmtree(folder / "sympy" / part, ignore_errors=True)
        write_whole(folder / "sympy" / f"{part}.py", _STUB)
    _import_later(folder / "sympy" / "sympy" / "polys" / "polyroots.py")
    papers = {f"dtmodel/_papers/{name}": papers_root() / name for name in ("proofs", "validation")}
    for top, root in {"dtmodel": PACKAGE, **papers}.items():
        for path in root.rglob("*"):
            if path.is_file() and path.suffix in _KEPT and "results" not in path.parts:
                write_whole(folder / "dtmodel" / top / path.relative_to(root), path.read_bytes(), synced=False)
    data = {"players": recorded(), "formulas": formulas(), "errata": list(errata().claims)}
    data["conditions"] = conditions()
    write_whole(folder / "dtmodel" / "dtmodel" / "lab" / "static" / "made.json", json.dumps(data))


def _import_later(file: Path) -> None:
    before, after = file.read_text(encoding="utf-8").split(_QUINTIC)
    write_whole(file, before + after.replace("    quintic =", f"    {_QUINTIC}    quintic =", 1))


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256((STATIC / "make.mjs").read_bytes())
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
