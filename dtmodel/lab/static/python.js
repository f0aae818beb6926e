// Python in a worker of this page, started when it is first needed; panels and cells share it.
const LOST = "Python was stopped";
let worker = null, started = null, serial = 0, module = null; // the compiled WebAssembly, for the next worker
const waiting = new Map();

function settle(id, answer, error) {
  const { resolve, reject } = waiting.get(id) ?? {};
  waiting.delete(id);
  if (error) reject?.(new Error(error));
  else resolve?.(answer);
}

function end(reason) {
  worker?.terminate();
  worker = started = null;
  for (const id of [...waiting.keys()]) settle(id, null, reason);
}

const promised = (id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));

// In a page that is one file, an element holds each file: a character of windows-1252 for a byte, "=" before one that is
// 64 too large.
const characters = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
const codes = new Map([...characters].map((letter, byte) => [letter.charCodeAt(0), byte]));
function unescaped(text) {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let n = 0; n < text.length; n += 1) {
    const escaped = text[n] === "=", code = text.charCodeAt(escaped ? (n += 1) : n);
    bytes[length++] = escaped ? code - 64 : code < 128 ? code : codes.get(code);
  }
  return bytes.subarray(0, length);
}

// The worker is a blob that imports worker.js: so the security policy of this page holds in it, too. If the page is one
// file, its worker is a data URL, which a page from disk may start.
function start() {
  const nodes = [...document.querySelectorAll("script[data-file]")];
  const held = nodes.length ? Object.fromEntries(nodes.map((node) => [node.dataset.file, unescaped(node.textContent)])) : null;
  const script = held ? "" : `import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`;
  const place = held ? `data:text/javascript,${encodeURIComponent(new TextDecoder().decode(held["worker.js"]))}`
    : URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  worker = new Worker(place, { type: "module" });
  worker.postMessage({ files: held, module });
  worker.onmessage = ({ data: { id, answer, error } }) => (id === "lost" ? end(error) : settle(id, answer, error));
  worker.onerror = (event) => end(`Python cannot start: ${event.message ?? "the worker was not loaded"}`);
  started = promised("ready");
  started.then((compiled) => { module = compiled; }, () => {}); // whoever waits is told
}

function send(message) {
  if (!worker) start();
  const id = ++serial, answer = promised(id);
  worker.postMessage({ ...message, id });
  return answer;
}

export const python = {
  ready() {
    if (!worker) start();
    return started;
  },
  run: (source) => send({ source }),
  respond: (panel, message) => send({ panel, message }),
  stop() {
    end(LOST);
    start();
  },
};
