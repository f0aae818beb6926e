"""The native core, compiled with whatever C++ compiler there is when the package is built or installed.

One call of the compiler for each source, side by side, and one to link: no build system beside hatchling is needed, an
editable install finds the library where it was compiled, and where there is no compiler the package is pure Python and
says so (`dtmodel.native`). ``python hatch_build.py`` compiles it in a checkout (``make native``), and with
``--sanitize`` with the address and undefined-behaviour sanitizers, into a file of its own.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
SOURCES, LIBRARY = ROOT / "native", ROOT / "dtmodel" / "native" / "core.library"
SANITIZED = ROOT / "build" / "sanitized" / LIBRARY.name
FLAGS = (
    "-std=c++17", "-O3", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra",
    "-ffp-contract=off",  # each operation rounds once, as the bounds say
    "-fno-math-errno", "-fno-trapping-math", "-fopenmp-simd",
)  # fmt: skip
CHECKS = ("-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")  # -O1 compiles ten times as long


def compiler() -> str | None:
    """Return the C++ compiler: the one that ``CXX`` names (empty: none), or the system's."""
    if "CXX" in os.environ:
        return shutil.which(os.environ["CXX"])
    return next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)


def compile_core(library: Path = LIBRARY, flags: tuple[str, ...] = FLAGS) -> str:
    """Compile the core unless it is newer than its source; return what went wrong, or an empty text."""
    newest = max(file.stat().st_mtime for file in (*SOURCES.iterdir(), Path(__file__)))
    if library.exists() and library.stat().st_mtime >= newest:
        return ""
    library.unlink(missing_ok=True)
    if sys.platform == "win32" or not (cxx := compiler()):
        return "there is no C++ compiler"
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        made = Path(folder) / library.name
        objects = {source: made.with_name(f"{source.stem}.o") for source in sorted(SOURCES.glob("*.cpp"))}
        compiled = pool.map(lambda source: _call([cxx, *flags, "-c", source, "-o", objects[source]]), objects)
        problem = "".join(compiled) or _call([cxx, *flags, *objects.values(), "-o", made])
        if not problem:
            made.replace(library)
    return problem


def _call(command: list[Any]) -> str:
    """Run the compiler; return what went wrong, or an empty text."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    return f"{command[0]} failed:\n{done.stderr}" if done.returncode else ""


def main() -> None:
    """Compile it in this checkout."""
    sanitize = sys.argv[1:] == ["--sanitize"]
    library, flags = (SANITIZED, (*FLAGS, *CHECKS)) if sanitize else (LIBRARY, FLAGS)  # of two levels the last counts
    problem = compile_core(library, flags)
    print(f"no native core, floats run in Python: {problem}" if problem else library)
    sys.exit(bool(problem) and sanitize)


if __name__ == "__main__":
    main()
else:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class NativeCore(BuildHookInterface):  # type: ignore[type-arg]  # hatchling names no parameter for its hooks
        """Compile the core before a wheel or an editable install is made."""

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Compile it; a wheel that holds it is for one platform, and for every Python."""
            problem = compile_core()
            if problem:
                self.app.display_warning(f"dtmodel is installed without its native core: {problem}")
            elif version != "editable":
                platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
                build_data["tag"] = f"py3-none-{platform}"
                build_data["pure_python"] = False
                build_data["artifacts"].append(str(LIBRARY.relative_to(ROOT)))
