// Pyodide in a worker, restored from the heap that was stored when the site was built; without it, from archives.
// Its first message has the files of a page that is one file, in base64 by name; null if they are beside this script.
const ABI = "2026_0", TYPES = { mjs: "text/javascript", wasm: "application/wasm" };
const given = new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data.files), { once: true }));
const get = self.fetch.bind(self), place = (name) => new URL(name, import.meta.url);
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
let files = null;

async function file(name) {
  if (files) return new Response(bytes(files[name]));
  const answer = await get(place(name));
  if (!answer.ok) throw new Error(`${name} is not on this site (${answer.status})`);
  return answer;
}

// Files are compressed on disk, because few servers compress them.
async function unpacked(name) {
  const stream = (await file(`${name}.packed`)).body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "Content-Type": TYPES[name.split(".").at(-1)] ?? "application/octet-stream" } });
}

self.fetch = (what) => {
  const name = String(what).split("/").at(-1);
  return name.endsWith(".wasm") ? unpacked(name) : file(name);
};
const script = (name) => import(files ? `data:${TYPES.mjs};base64,${files[name]}` : place(name));

// An import cannot wait for a promise: the archive of a package is fetched while Python stands still.
function archive(name) {
  if (files) return bytes(files[name]);
  const request = new XMLHttpRequest();
  request.open("GET", place(name), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${name} is not on this site (${request.status})`);
  return new Uint8Array(request.response);
}

async function load() {
  files = await given;
  const { packages, heap: stored } = await (await file("packages.json")).json();
  const heap = stored && new Uint8Array(await (await unpacked("heap")).arrayBuffer());
  // The stored heap is larger than the memory with which Pyodide begins.
  const roomy = (settings) => {
    const begin = settings.instantiateWasm;
    settings.instantiateWasm = (imports, done) => begin(imports, (instance, module) => {
      const memory = instance.exports.memory ?? imports.env.memory;
      memory.grow(Math.max(0, Math.ceil((heap.length - memory.buffer.byteLength) / 65536)));
      done(instance, module);
    });
    return script("pyodide.asm.mjs").then(({ default: make }) => make(settings));
  };
  const { loadPyodide } = await script("pyodide.mjs");
  const pyodide = await loadPyodide({
    indexURL: files ? "https://one.file.invalid/" : place(".").href,
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
  if (id === undefined) return;
  try {
    const { browser, archives } = await python;
    if (source !== undefined) archives.take("dtmodel");
    const answer = source === undefined ? browser.respond(panel, JSON.stringify(message)) : browser.run(source);
    postMessage({ id, answer: JSON.parse(answer) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
