// Blocks of Python on a page become cells: editable, with Run (Shift-Enter) and Stop. Python is loaded at the first Run.
"use strict";
(() => {
  const home = new URL("../python/", document.currentScript.src), cells = [];
  const make = (tag, attributes, ...children) => {
    const node = Object.assign(document.createElement(tag), attributes);
    node.append(...children);
    return node;
  };
  let python = null, busy = false;
  const load = async () => (python ??= (await import(new URL("python.js", home).href)).python);
  // Lines of the notebook's own language, such as %matplotlib, are not Python.
  const source = (cell) => cell.code.textContent.replace(/^[%!].*$/gm, "");

  // A panel that a cell returns is drawn by lab.js, and answered by Python in this page.
  async function mount(box) {
    const { name, start, answer } = JSON.parse(box.dataset.panel), listeners = [], state = { start, answer };
    const send = async (message) => {
      const found = await python.respond(name, message);
      for (const heard of listeners) heard({ ...found, view: message.view, serial: message.serial });
    };
    const { default: lab } = await import(new URL("lab.js", home).href);
    lab.render({ model: { get: (key) => state[key], on: (_event, heard) => listeners.push(heard), send }, el: box });
    if (!document.querySelector("link.dtm-style")) {
      document.head.append(make("link", { className: "dtm-style", rel: "stylesheet", href: new URL("lab.css", home).href }));
    }
  }

  function show(cell, { text = "", html = [], error = "" }) {
    const shown = html.map((one) => make("div", { className: "output text_html", innerHTML: one })); // from the reader's own Python
    if (text) shown.unshift(make("pre", { className: "output", textContent: text }));
    if (error) shown.push(make("pre", { className: "output cell-error", textContent: error }));
    cell.output.replaceChildren(...shown);
    cell.output.querySelectorAll(".dtm-live").forEach(mount);
  }

  async function execute(cell) {
    cell.said.textContent = "running";
    const answer = await python.run(source(cell));
    show(cell, answer);
    cell.done = true;
    cell.said.textContent = answer.error ? "an error" : "done";
    return !answer.error;
  }

  // A cell needs the names of those above it: they run first, unless they have run already.
  async function run(cell) {
    if (busy) return;
    busy = true;
    cell.stop.hidden = false;
    cell.said.textContent = python ? "running" : "loading Python";
    try {
      await load();
      await python.ready();
      for (const above of cells.slice(0, cells.indexOf(cell))) if (!above.done) await execute(above);
      await execute(cell);
    } catch (error) {
      cell.said.textContent = home.protocol === "file:"
        ? "Python does not run in a page that was opened from disk: run python -m http.server in the folder of this site"
        : error.message;
    }
    cell.stop.hidden = true;
    busy = false;
  }

  function stop() {
    python?.stop();
    for (const cell of cells) cell.done = false;
  }

  function enliven(block, number) {
    const code = block.querySelector("pre"), box = block.closest(".cell");
    const output = box?.querySelector(".cell_output") ?? make("div", { className: "cell_output" });
    const cell = { code, output, done: false, said: make("span", { className: "cell-said" }) };
    cell.said.setAttribute("role", "status");
    const button = (text, does) => make("button", { type: "button", textContent: text, onclick: does });
    cell.stop = Object.assign(button("Stop", stop), { hidden: true });
    Object.assign(code, { contentEditable: "plaintext-only", spellcheck: false, tabIndex: 0 });
    for (const [name, text] of Object.entries({ role: "textbox", "aria-multiline": "true", "aria-label": `Python, cell ${number + 1}` })) {
      code.setAttribute(name, text);
    }
    code.addEventListener("input", () => { cell.done = false; });
    code.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.shiftKey) return;
      event.preventDefault();
      run(cell);
    });
    const tools = make("div", { className: "cell-tools" }, button("Run", () => run(cell)), cell.stop, cell.said);
    block.after(tools, ...(output.isConnected ? [] : [output]));
    cells.push(cell);
  }

  addEventListener("DOMContentLoaded", () =>
    document.querySelectorAll(".cell_input [class*=highlight-ipython], .highlight-python").forEach(enliven));
})();
