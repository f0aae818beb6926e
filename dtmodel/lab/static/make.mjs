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
import ast, compileall, py_compile, sys
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path

site = next(path for path in sys.path if path.endswith("site-packages"))

def bare(here, source):
    """Replace the source of a module by compiled code without docstrings."""
    tree = ast.parse(source.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            node.body[0].value.value = ""
    code = compile(tree, f"{site}/{source.relative_to(here)}", "exec", dont_inherit=True)
    source.with_suffix(".pyc").write_bytes(_code_to_hash_pyc(code, bytes(8), False))
    source.unlink()

for here in Path("/stage").iterdir():
    if here.name == "dtmodel":  # evidence reads its own source
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        compileall.compile_dir(here, quiet=2, stripdir=here, prependdir=site, invalidation_mode=unchecked)
    else:
        for source in [*here.rglob("*.py")]:
            bare(here, source)
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
