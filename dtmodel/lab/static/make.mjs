// node make.mjs PYODIDE STAGE HEAP: compile the stage with Pyodide itself, and store the heap after the panels' first answers.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, stage, heap] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));

async function withFolders(folders, options = {}) {
  const pyodide = await loadPyodide(options);
  for (const [folder, path] of Object.entries(folders)) {
    pyodide.FS.mkdirTree(folder);
    pyodide.mountNodeFS(folder, path);
  }
  return pyodide;
}

(await withFolders({ "/stage": stage })).runPython(`
import ast, sys
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path
from types import CodeType

site = next(path for path in sys.path if path.endswith("site-packages"))

def lean(code):
    """Leave the numbers of lines out of compiled code: a tenth of the heap, which only a traceback reads.

    Each byte of the table says that eight instructions have no line: a traceback fails where a table ends early.
    """
    parts = tuple(lean(part) if isinstance(part, CodeType) else part for part in code.co_consts)
    nowhere = b"\\xff"
    while 16 * len(nowhere) < len(code.co_code):
        nowhere *= 4
    return code.replace(co_linetable=tables.setdefault(nowhere, nowhere), co_consts=parts)

def bare(tree):
    """Empty the docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            node.body[0].value.value = ""
    return tree

tables = {}  # of few lengths, which codes share
for here in Path("/stage").iterdir():
    own = here.name == "dtmodel"  # evidence reads its own source
    for source in [*here.rglob("*.py")]:
        tree = ast.parse(source.read_bytes())
        code = compile(tree if own else bare(tree), f"{site}/{source.relative_to(here)}", "exec", dont_inherit=True)
        kept = source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"
        target = kept if own else source.with_suffix(".pyc")
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(_code_to_hash_pyc(lean(code), bytes(8), False))
        if not own:
            source.unlink()
`);

// A heap of its own: that of the compiler is large.
const pyodide = await withFolders({ "/stage": stage }, { _makeSnapshot: true });
pyodide.runPython(`
import gc, importlib, shutil, sys

site = next(path for path in sys.path if path.endswith("site-packages"))
shutil.copytree("/stage/dtmodel", site, dirs_exist_ok=True)
from dtmodel.lab import browser, panels

browser.keep(panels.restored().items())
importlib.invalidate_caches()  # it would hold archives open
gc.collect()
`);
pyodide.FS.unmount("/stage");

// Memory that was used and freed becomes zeros, which take no room in a compressed heap.
const { _malloc, _free, _sbrk } = pyodide._module, end = _sbrk(0), held = [];
for (let size = 2 ** 20; size >= 32; size /= 2) {
  let place = _malloc(size);
  for (; place && place + size <= end; place = _malloc(size)) {
    pyodide._module.HEAPU8.fill(0, place, place + size);
    held.push(place);
  }
  _free(place);
}
held.forEach(_free);
writeFileSync(heap, pyodide.makeMemorySnapshot());
