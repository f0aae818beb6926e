"""Build and try a release: ``make release VERSION=1.0.0``. Nothing is uploaded, tagged or pushed.

A release is refused unless the version stands in the package, in CITATION.cff and over a dated section of CHANGELOG.md,
and every change is committed. The sdist and the pure wheel, made from that sdist, are built from a copy of the commit
in an environment with the pinned tools of requirements/release.txt, checked by twine, installed into a new environment,
and put in ``dist/``.
"""

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent
STATED = {"dtmodel/base/version.py": r'^__version__ = "(.+)"$', "CITATION.cff": r"^version: (.+)$"}
"""The files that state the version, each with the line that does."""


def refusals(root: Path, version: str) -> Iterator[str]:
    """Yield each reason why the tree at `root` cannot be released as `version`."""
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        yield f"VERSION: got {version!r}; expected a version such as 1.0.0 or 1.0.0rc1"
    for name, line in STATED.items():
        found = re.search(line, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        if not found or found[1] != version:
            yield f"{name} states {found[1] if found else 'no version'}, and not {version}"
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(rf"(?ms)^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)\n(.*?)(?=^## |\Z)", changes)
    if not section or not section[1].strip():
        yield f"CHANGELOG.md has no section '## {version} (YYYY-MM-DD)' that says what changed"
    if changed := _run("git", "-C", root, "status", "--porcelain"):
        yield f"there are changes that are not committed:\n{changed}"


def build(root: Path, folder: Path) -> list[Path]:
    """Build the sdist and the pure wheel of the commit below `folder`; return both files once twine accepts them."""
    source, dist = folder / "source", folder / "dist"
    _run("git", "clone", "--quiet", root, source)
    tools = _environment(folder / "tools", "--require-hashes", "-r", source / "requirements" / "release.txt")
    _run(tools / "python", "-m", "build", "--outdir", dist, source)
    made = sorted(dist.iterdir())
    _run(tools / "python", "-m", "twine", "check", "--strict", *made)
    return made


def attempt(wheel: Path, folder: Path) -> str:
    """Install a wheel into a new environment below `folder`; return the version that its command prints."""
    return _run(_environment(folder / "new", wheel) / "dtmodel", "--version").split()[-1]


def _environment(folder: Path, *what: object) -> Path:
    venv.create(folder, with_pip=True)
    binaries = folder / "bin"
    _run(binaries / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what)
    return binaries


def _run(*command: object) -> str:
    """Return what a command prints; without a C++ compiler, so that a wheel is for every platform."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | {"CXX": ""}
    words = [*map(str, command)]
    try:
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        sys.exit(f"a release needs {words[0]}")
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def main() -> None:
    """Check, build and try the version that the command line names."""
    version = (sys.argv[1:] or [""])[0]
    if reasons := list(refusals(ROOT, version)):
        sys.exit("not released:\n" + "\n".join(f"- {reason}" for reason in reasons))
    with TemporaryDirectory() as name:
        made = build(ROOT, Path(name))
        wheel = next(path for path in made if path.suffix == ".whl")
        if (said := attempt(wheel, Path(name))) != version:
            sys.exit(f"{wheel.name} installs version {said}, and not {version}")
        (ROOT / "dist").mkdir(exist_ok=True)
        for path in made:
            print("built and tried:", shutil.copy(path, ROOT / "dist"))


if __name__ == "__main__":
    main()
