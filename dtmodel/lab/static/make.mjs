// node make.mjs PYODIDE STAGE OUTPUT: compile archives with Pyodide itself, and store the heap after the panels' first answers.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, stage, output] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));

async function withFolders(folders, options = {}) {
  const pyodide = await loadPyodide(options);
  for (const [folder, path] of Object.entries(folders)) {
    pyodide.FS.mkdirTree(folder);
    pyodide.mountNodeFS(folder, path);
  }
  return pyodide;
}

(await withFolders({ "/stage": stage, "/output": output })).runPython(`
import compileall, json, py_compile, shutil, sys
from pathlib import Path

unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
site = next(path for path in sys.path if path.endswith("site-packages"))
for archive in Path("/stage").iterdir():
    here = Path("/tmp") / archive.name
    if not (Path("/output") / f"{archive.name}.zip").exists():
        shutil.copytree(archive, here)
        bare = archive.name != "dtmodel"  # only evidence reads its own source
        compileall.compile_dir(here, quiet=2, stripdir=here, prependdir=site, legacy=bare, invalidation_mode=unchecked)
        for source in here.rglob("*.py") if bare else ():
            source.unlink()
        shutil.make_archive(f"/output/{archive.name}", "zip", here)
        shutil.rmtree(here)
`);

// A heap of its own: that of the compiler is large.
const pyodide = await withFolders({ "/output": output }, { _makeSnapshot: true });
pyodide.runPython(`
import gc, importlib, shutil, sys

shutil.unpack_archive("/output/dtmodel.zip", next(path for path in sys.path if path.endswith("site-packages")))
from dtmodel.lab import browser, panels

browser.keep(panels.restored().items())
importlib.invalidate_caches()  # it would hold archives open
gc.collect()
`);
pyodide.FS.unmount("/output");
writeFileSync(`${output}/heap`, pyodide.makeMemorySnapshot());
