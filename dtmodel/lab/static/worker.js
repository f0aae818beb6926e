// Pyodide in a worker, restored from the heap that was stored when the site was built; without it, from archives.
// Its first message has the files of a page that is one file by their names; null if they are beside this script.
const ABI = "2026_0", TYPES = { mjs: "text/javascript", wasm: "application/wasm" };
const given = new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data), { once: true }));
const get = self.fetch.bind(self), place = (name) => new URL(name, import.meta.url);
let files = null;

async function file(name) {
  if (files) return new Response(files[name]);
  const answer = await get(place(name));
  if (!answer.ok) throw new Error(`${name} is not on this site (${answer.status})`);
  return answer;
}

// Files are compressed on disk, because few servers compress them.
async function unpacked(name) {
  const stream = (await file(`${name}.packed`)).body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "Content-Type": TYPES[name.split(".").at(-1)] ?? "application/octet-stream" } });
}

async function script(name, text) {
  if (!files) return import(text ? URL.createObjectURL(new Blob([text], { type: TYPES.mjs })) : place(name));
  return import(`data:${TYPES.mjs},${encodeURIComponent(text ?? new TextDecoder().decode(files[name]))}`);
}

// An import cannot wait for a promise: the archive of a package is fetched while Python stands still.
function archive(name) {
  if (files?.[name]) return files[name];
  const request = new XMLHttpRequest();
  request.open("GET", place(name), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${name} is not on this site (${request.status})`);
  return new Uint8Array(request.response);
}

// The stored heap has all modules that panels need: the standard library is fetched when another one is imported.
function late(node, name, size) {
  let content = null;
  Object.defineProperties(node, { contents: { get: () => (content ??= archive(name)) }, usedBytes: { value: size } });
}

async function begin(heap, { module, code, size }) {
  const library = "python_stdlib.zip"; // Pyodide asks for it, and for its WebAssembly, which is compiled already
  self.fetch = (what) => (heap || !String(what).endsWith(library) ? Promise.resolve(new Response()) : file(library));
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module, instance: await WebAssembly.instantiate(module, imports) });
  // The stored heap is larger than the memory with which Pyodide begins.
  const roomy = async (settings) => {
    const begun = settings.instantiateWasm;
    settings.instantiateWasm = (imports, done) => begun(imports, (instance, compiled) => {
      const memory = instance.exports.memory ?? imports.env.memory;
      memory.grow(Math.max(0, Math.ceil(((heap?.length ?? 0) - memory.buffer.byteLength) / 65536)));
      done(instance, compiled);
    });
    return (await script("pyodide.asm.mjs", code)).default(settings);
  };
  const { loadPyodide } = await script("pyodide.mjs");
  const pyodide = await loadPyodide({
    indexURL: files ? "https://one.file.invalid/" : place(".").href,
    lockFileContents: { info: { abi_version: ABI }, packages: {} }, // it fetches no packages
    createPyodideModule: roomy,
    ...(heap && { _loadSnapshot: heap }),
  });
  if (heap) {
    late(pyodide.FS.lookupPath("/lib/python314.zip").node, library, size);
    return pyodide;
  }
  pyodide.unpackArchive(archive("dtmodel.tar.xz"), "xztar", { extractDir: "/lib/python3.14/site-packages" });
  pyodide.runPython("from dtmodel.lab import browser, panels; browser.keep(panels.restored().items())");
  return pyodide;
}

async function load() {
  const { files: held, module: compiled } = await given;
  files = held;
  // All at once: each of them takes the line, the processor or both.
  const heap = unpacked("heap").then((answer) => answer.arrayBuffer()).then((buffer) => new Uint8Array(buffer)).catch(() => null);
  const [{ packages, size }, module, code] = await Promise.all([file("packages.json").then((answer) => answer.json()),
    compiled ?? WebAssembly.compileStreaming(unpacked("pyodide.asm.wasm")), unpacked("pyodide.asm.mjs").then((answer) => answer.text())]);
  // Memory grows by what is asked for and a little more; Emscripten adds a fifth.
  const parts = { module, code: code.replace("1+.2/cutDown", "1+.005/cutDown"), size };
  const pyodide = await begin(await heap, parts).catch(() => begin(null, parts));
  self.fetch = get;
  const browser = pyodide.pyimport("dtmodel.lab.browser");
  const archives = browser.start((name) => { // a file stays outside the memory of Python
    pyodide.FS.writeFile(`/tmp/${name}`, archive(`${name}.tar.xz`), { canOwn: true });
    return `/tmp/${name}`;
  }, JSON.stringify(packages));
  return { browser, archives, module };
}

const python = load();
python.then(({ module }) => postMessage({ id: "ready", answer: module }), (error) => postMessage({ id: "lost", error: `Python cannot start: ${error.message}` }));

onmessage = async ({ data: { id, panel, message, source } }) => {
  if (id === undefined) return;
  try {
    const { browser, archives } = await python;
    if (source !== undefined || panel === "errata") archives.take("dtmodel");
    const answer = source === undefined ? browser.respond(panel, JSON.stringify(message)) : browser.run(source);
    postMessage({ id, answer: JSON.parse(answer) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
