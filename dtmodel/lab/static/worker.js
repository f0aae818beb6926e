// Pyodide in a worker, restored from the heap that was stored when the site was built; without it, from archives.
import { loadPyodide } from "./pyodide.mjs";

const here = new URL(".", import.meta.url), get = self.fetch.bind(self);
const ABI = "2026_0";
const place = (name) => new URL(name, here);

// Files are compressed on disk, because few servers compress them.
async function unpacked(name, type) {
  const answer = await get(place(`${name}.packed`));
  if (!answer.ok) throw new Error(`${name} is not on this site (${answer.status})`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}
self.fetch = (what, more) => (String(what).endsWith(".wasm") ? unpacked("pyodide.asm.wasm", "application/wasm") : get(what, more));

// An import cannot wait for a promise: the archive of a package is fetched while Python stands still.
function archive(name) {
  const request = new XMLHttpRequest();
  request.open("GET", place(name), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${name} is not on this site (${request.status})`);
  return new Uint8Array(request.response);
}

async function load() {
  const { packages, heap: stored } = await (await get(place("packages.json"))).json();
  const heap = stored && new Uint8Array(await (await unpacked("heap", "application/octet-stream")).arrayBuffer());
  // The stored heap is larger than the memory with which Pyodide begins.
  const roomy = (settings) => {
    const begin = settings.instantiateWasm;
    settings.instantiateWasm = (imports, done) => begin(imports, (instance, module) => {
      const memory = instance.exports.memory ?? imports.env.memory;
      memory.grow(Math.max(0, Math.ceil((heap.length - memory.buffer.byteLength) / 65536)));
      done(instance, module);
    });
    return import("./pyodide.asm.mjs").then(({ default: make }) => make(settings));
  };
  const pyodide = await loadPyodide({
    lockFileContents: { info: { abi_version: ABI }, packages: {} }, // it fetches no packages
    ...(heap && { _loadSnapshot: heap, createPyodideModule: roomy }),
  });
  if (!heap) pyodide.unpackArchive(archive("dtmodel.zip"), "zip", { extractDir: "/lib/python3.14/site-packages" });
  const browser = pyodide.pyimport("dtmodel.lab.browser");
  const archives = browser.start((name) => pyodide.toPy(archive(name)).tobytes(), JSON.stringify(packages));
  return { browser, archives };
}

const python = load();
python.then(() => postMessage({ id: "ready" }), (error) => postMessage({ id: "lost", error: `Python cannot start: ${error.message}` }));

onmessage = async ({ data: { id, panel, message, source } }) => {
  try {
    const { browser, archives } = await python;
    if (source !== undefined) archives.take("dtmodel");
    const answer = source === undefined ? browser.respond(panel, JSON.stringify(message)) : browser.run(source);
    postMessage({ id, answer: JSON.parse(answer) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
