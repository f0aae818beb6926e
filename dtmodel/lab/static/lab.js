// Draws the panels of dtmodel.lab. All numbers come from Python, or from the answers that are stored in a page.
const SVG = "http://www.w3.org/2000/svg";

function put(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
const html = (tag, attributes = {}, ...children) => put(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => put(document.createElementNS(SVG, tag), attributes, children);

// Makes the children of a node like fresh nodes. What is alike stays: the browser lays out and paints only what differs.
function renew(node, ...fresh) {
  const old = [...node.childNodes];
  fresh.forEach((one, n) => {
    const kept = old[n], made = typeof one === "string" ? document.createTextNode(one) : one;
    if (kept?.nodeName !== made.nodeName) return kept ? kept.replaceWith(made) : node.append(made);
    if (made.nodeType === Node.TEXT_NODE) return kept.data === made.data || (kept.data = made.data);
    for (const { name } of [...kept.attributes]) if (!made.hasAttribute(name)) kept.removeAttribute(name);
    for (const { name, value } of made.attributes) if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
    renew(kept, ...made.childNodes);
  });
  old.slice(fresh.length).forEach((left) => left.remove());
}

// At most FLYING requests are under way, and only the newest request waits, because the round trip to Python takes longer
// than the computation. Likely next requests (`ahead`: the other values of the slider under the pointer) are fetched in
// chunks. Answers are cached.
const FLYING = 3, PATIENCE = 5000, CHUNK = 6, KEPT = 3000;

// The newest answer is drawn once in each frame; the second argument of `show` is true if it answers the last request
// (else the sliders have moved since). The panel counts requests and drawn answers in its data attributes.
function conversation(model, el, show) {
  const view = Math.random().toString(36).slice(2), live = model.get("start").live;
  const known = new Map(), sent = new Map(), name = ({ values, held, ...more }) => JSON.stringify([values, held ?? null, more]);
  let serial = 0, shown = 0, next = null, flying = 0, last = 0, wanted = null, coming = [], fetching = false;
  const count = (key) => { el.dataset[key] = Number(el.dataset[key] ?? 0) + 1; };
  let fresh = null;
  const draw = () => {
    const answer = fresh;
    fresh = null;
    show(answer, wanted === null);
    count("updates");
  };
  const heard = (answer) => {
    const waits = fresh;
    fresh = answer;
    if (!waits) requestAnimationFrame(draw);
  };
  const keep = (request, answer) => {
    if (known.size > KEPT) known.clear();
    known.set(name(request), answer);
  };
  const send = () => {
    const request = next;
    next = null;
    flying += 1;
    last = performance.now();
    sent.set(++serial, request);
    model.send({ ...request, view, serial });
  };
  const fetchMore = () => {
    coming = coming.filter((request) => !known.has(name(request)));
    const chunk = coming.splice(0, CHUNK);
    fetching = chunk.length ? chunk : false;
    if (chunk.length) model.send({ ahead: chunk, view });
  };
  const fetched = (answers) => {
    (fetching || []).forEach((request, n) => keep(request, answers[n]));
    fetchMore();
    if (wanted && known.has(name(wanted))) ask(wanted);
  };
  model.on("msg:custom", (answer) => {
    if (answer.view !== view) return;
    if (answer.ahead) return fetched(answer.ahead);
    flying = Math.max(0, flying - 1);
    if (sent.has(answer.serial)) keep(sent.get(answer.serial), answer);
    sent.delete(answer.serial);
    if (answer.serial > shown) {
      shown = answer.serial;
      if (shown === serial && !next) wanted = null;
      heard(answer);
    }
    if (next) send();
  });
  const ask = (request) => {
    const found = known.get(name(request));
    count("asked");
    wanted = next = null;
    if (found) {
      shown = ++serial; // answers that arrive later are older
      return heard(found);
    }
    wanted = next = request;
    if (performance.now() - last > PATIENCE) flying = 0; // the kernel died with a request
    if (flying < FLYING) send();
  };
  const ahead = (requests) => {
    coming = live ? requests : [];
    if (!fetching) fetchMore();
  };
  return { ask, ahead };
}

// The settings that differ in one slider, the nearest first.
function around({ options }, values, key) {
  const here = options.indexOf(values[key]);
  return options.map((text, place) => [Math.abs(place - here), { ...values, [key]: text }])
    .sort(([one], [other]) => one - other).map(([, chosen]) => chosen);
}

// The sliders of a panel; `near(name)` runs when the pointer comes near, `begun`, `changed(name, text)`, `settled` in a move.
function sliderRows(start, { near, begun, changed, settled }) {
  const rows = {};
  const box = html("div", { class: "dtm-sliders" });
  for (const { name, label, options } of start.sliders) {
    if (!start.movable.includes(name)) continue;
    const shown = html("output");
    const words = Number.isNaN(Number(options[0].split("/")[0]));
    const input = words
      ? html("select", {}, ...options.map((option) => html("option", {}, option)))
      : html("input", { type: "range", min: 0, max: options.length - 1, step: 1 });
    const text = () => (words ? input.value : options[Number(input.value)]);
    input.addEventListener("input", () => { begun(); changed(name, text()); });
    input.addEventListener("change", () => settled());
    if (!words) for (const kind of ["pointerenter", "pointerdown", "focus"]) input.addEventListener(kind, () => near(name));
    box.append(html("label", {}, html("span", {}, label), input, shown));
    rows[name] = {
      options,
      set(value, said) {
        const place = options.indexOf(value);
        if (place >= 0) input.value = words ? value : place;
        if (!words && shown.textContent !== said) input.setAttribute("aria-valuetext", said);
        renew(shown, words ? "" : said);
      },
    };
  }
  return { box, rows };
}

const LEFT = 62, WIDE = 560, TALL = 300, TOP = 14, STRIP = 76, GAP = 44;

function nice(top) {
  const power = 10 ** Math.floor(Math.log10(top));
  return [0.1, 0.2, 0.5, 1, 2].map((n) => n * power).find((step) => top / step <= 5.5);
}

function axis(layer, { x, y, length, top, label, upright }) {
  const step = nice(top);
  for (let value = 0; value <= top * 1.0001; value += step) {
    const at = (value / top) * length;
    const text = String(Number(value.toPrecision(6)));
    layer.append(upright
      ? svg("g", {}, svg("line", { x1: x - 4, x2: x, y1: y - at, y2: y - at }),
          svg("text", { x: x - 7, y: y - at + 4, "text-anchor": "end" }, text))
      : svg("g", {}, svg("line", { x1: x + at, x2: x + at, y1: y, y2: y + 4 }),
          svg("text", { x: x + at, y: y + 17, "text-anchor": "middle" }, text)));
  }
  layer.append(upright
    ? svg("line", { x1: x, x2: x, y1: y, y2: y - length })
    : svg("line", { x1: x, x2: x + length, y1: y, y2: y }));
  layer.append(upright
    ? svg("text", { transform: `translate(${x - 46},${y - length / 2}) rotate(-90)`, "text-anchor": "middle" }, label)
    : svg("text", { x: x + length / 2, y: y + 33, "text-anchor": "middle" }, label));
}

const path = (points) => points.map(([x, y], n) => `${n ? "L" : "M"}${x.toFixed(2)},${y.toFixed(2)}`).join("");
const DASHES = { "steady ports": "7 4", "other bursts": "9 3 2 3" };

function queuePicture(id) {
  const back = svg("g"), front = svg("g"), frame = svg("g", { class: "dtm-axes" });
  const clip = svg("clipPath", { id }, svg("rect", { x: LEFT, y: TOP, width: WIDE, height: TALL }));
  const hatch = svg("pattern", { id: `${id}-hatch`, width: 6, height: 6, patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(45)" }, svg("line", { x1: 0, x2: 0, y1: 0, y2: 6, class: "dtm-hatch" }));
  back.setAttribute("clip-path", `url(#${id})`);
  const draw = (answer, ghost) => {
    const x = (time) => LEFT + (time / answer.until) * WIDE;
    const y = (size) => TOP + TALL - (size / answer.buffer) * TALL;
    const line = (points) => path(points.map(([time, size]) => [x(time), y(size)]));
    const { colour } = answer.style, drawn = svg("g");
    const ends = answer.free.at(-1)[0];
    drawn.append(svg("path", { class: "dtm-free", d: `${line(answer.free)}L${x(ends)},${y(0)}L${x(0)},${y(0)}Z` }));
    if (ghost) for (const { role, points } of ghost.lines) {
      drawn.append(svg("path", { class: "dtm-ghost", d: line(points), "stroke-dasharray": DASHES[role] ?? null }));
    }
    if (answer.lost.length) {
      const over = answer.lost.map(([time, size, lost]) => [time, size + lost]).reverse();
      drawn.append(svg("path", { class: "dtm-lost", fill: `url(#${id}-hatch)`,
        d: `${line(answer.lost)}${line(over).replace("M", "L")}Z` }));
    }
    for (const points of answer.thresholds) drawn.append(svg("path", { class: "dtm-threshold", d: line(points) }));
    for (const { role, points } of [...answer.lines].reverse()) {
      drawn.append(svg("path", { class: "dtm-line", d: line(points), stroke: colour,
        "stroke-width": role.startsWith("burst") ? 3 : 2, "stroke-dasharray": DASHES[role] ?? null }));
    }
    renew(back, ...drawn.childNodes);
    renew(front, ...answer.marks.map(({ kind, time, size, text }) => {
      const mark = kind === "drop" ? svg("path", { d: "M-6,-6L6,6M-6,6L6,-6", class: "dtm-drop" })
        : svg("circle", { r: 9, class: "dtm-said" });
      return put(svg("g", { transform: `translate(${x(time)},${y(size)})` }), {}, [svg("title", {}, text), mark]);
    }));
    const [bytes, perByte] = answer.units.bytes, [time, perSecond] = answer.units.time;
    const axes = [bytes, answer.buffer, time, answer.until].join();
    if (frame.dataset.axes === axes) return;
    frame.dataset.axes = axes;
    frame.replaceChildren();
    axis(frame, { x: LEFT, y: TOP + TALL, length: TALL, top: answer.buffer * perByte, upright: true,
      label: `queue length (${bytes})` });
    axis(frame, { x: LEFT, y: TOP + TALL, length: WIDE, top: answer.until * perSecond, label: `time (${time})` });
  };
  return { parts: [svg("defs", {}, clip, hatch), frame, back, front], draw };
}

function legend(answer, id) {
  const rows = answer.lines.map(({ role }) => [role, svg("line", { x2: 30, y1: 6, y2: 6, stroke: answer.style.colour,
    "stroke-width": role.startsWith("burst") ? 3 : 2, "stroke-dasharray": DASHES[role] ?? null })]);
  rows.push([`threshold of ${answer.lines[0].role}`, svg("line", { class: "dtm-threshold", x2: 30, y1: 6, y2: 6 })]);
  rows.push(["free buffer", svg("rect", { class: "dtm-free", width: 30, height: 12 })]);
  rows.push(["lost bytes of burst 1 so far", svg("rect", { class: "dtm-lost", fill: `url(#${id}-hatch)`, width: 30, height: 12 })]);
  rows.push(["first drop in the run", svg("path", { d: "M9,0L21,12M9,12L21,0", class: "dtm-drop" })]);
  rows.push(["first drop by a theorem", svg("circle", { cx: 15, cy: 6, r: 6, class: "dtm-said" })]);
  return rows.map(([text, key]) => html("li", {}, svg("svg", { width: 30, height: 12, "aria-hidden": "true" }, key), text));
}

// Writes MathML from Python into a node. To lay it out takes as long as a picture: while answers follow one another, it is
// written ten times a second.
function mathematics(node) {
  let shown = "", wanted = "", timer = null;
  const write = () => {
    timer = null;
    if (shown === wanted) return;
    const made = html("template");
    made.innerHTML = shown = wanted;
    renew(node, ...made.content.childNodes);
    timer = setTimeout(write, 100);
  };
  return (text) => {
    wanted = text;
    if (timer === null) write();
  };
}

// A handle that a pointer drags and arrow keys step; `moves` are the sliders of its two directions.
function handle(label) {
  return svg("g", { tabindex: 0, role: "slider", "aria-label": label, class: "dtm-handle" }, svg("circle", { r: 8 }));
}

const nearest = (options, wanted) => options
  .map((text, place) => [Math.abs(number(text) - wanted), place])
  .reduce((best, next) => (next[0] < best[0] ? next : best))[1];

function number(text) {
  const [over, under] = text.split("/");
  return Number(over) / Number(under ?? 1);
}

const LETTERS = {
  k: ["no loss", "dtm-kept"], s: ["loss; queues follow the threshold", "dtm-slow"],
  f: ["loss; queues fall behind the threshold", "dtm-fast"], "?": ["no theorem applies", "dtm-silent"],
};

const theoremLines = ({ theorems }) => theorems.map(({ claim, title, verdict, says, agrees }) => html("p", {},
  html("strong", {}, title), " ", html("code", {}, claim), " ", html("span", { class: "dtm-badge" }, verdict), ` ${says}`,
  ...(agrees === null ? [] : [html("span", { class: agrees ? "dtm-agrees" : "dtm-fails" },
    agrees ? " = the run, exactly" : " ≠ the run")])));
const pairs = (rows) => rows.flatMap(([term, text]) => [html("dt", {}, term), html("dd", {}, text)]);

function explorer(model, el) {
  const start = model.get("start");
  const name = `dtm${Math.random().toString(36).slice(2)}`;
  let values = { ...start.values }, answer = null, ghost = null, held = false, top = null, regions = {};
  const request = (more = {}) => ask({ values, ...(held && { held: answer.span }), ...more });
  const begun = () => { if (!held) { ghost = answer; held = true; } };
  const changed = (key, text) => { values = { ...values, [key]: text }; request(); };
  const settled = () => { held = false; request(); };
  const near = (key) => ahead(around(rows[key], values, key).map((chosen) => ({ values: chosen, held: answer.span })));
  const { box, rows } = sliderRows(start, { near, begun, changed, settled });
  const movable = (key) => key in rows;

  const picture = queuePicture(name);
  const strip = svg("g"), corner = handle("rate and duration of burst 1"), other = handle("end of the other bursts");
  const height = TOP + TALL + GAP + STRIP + 24;
  const drawing = svg("svg", { viewBox: `0 0 ${LEFT + WIDE + 16} ${height}`, class: "dtm-drawing", role: "group",
    "aria-label": "queue lengths, the threshold and the free buffer over time; below, the arrival rates" },
    ...picture.parts, strip, other, corner);
  const base = TOP + TALL + GAP + STRIP;

  const mapSize = 230, mapLayer = svg("g"), point = handle("alpha and R on the map");
  const map = svg("svg", { viewBox: `-44 -8 ${mapSize + 60} ${mapSize + 48}`, class: "dtm-map", role: "group",
    "aria-label": "prediction of the theorem for every alpha and R" }, mapLayer, point);
  const mapKey = html("ul", { class: "dtm-legend" });
  const key = html("ul", { class: "dtm-legend" });
  const formula = html("p", { class: "dtm-formula", tabindex: 0 }), write = mathematics(formula);
  const theorems = html("div", { class: "dtm-theorems" });
  const summary = html("dl", { class: "dtm-summary" });
  const scene = html("p", { class: "dtm-note" });
  const note = html("p", { class: "dtm-note", role: "status" });
  const breaks = html("button", { type: "button" }, "break it");
  breaks.addEventListener("click", () => { ghost = answer; note.textContent = "looking…"; request({ do: "break" }); });
  const tools = html("div", { class: "dtm-tools" }, ...(start.live ? [breaks] : []), note);

  const figure = html("div", { class: "dtm-figure" }, drawing, key);
  const side = html("div", { class: "dtm-side" }, box, map, mapKey);
  el.append(html("div", { class: "dtm" }, scene, html("div", { class: "dtm-columns" }, figure, side), tools, summary, formula, theorems));

  function drawArrivals() {
    const x = (time) => LEFT + (time / answer.until) * WIDE;
    const { ratio, ends } = answer.arrivals;
    if (!held || top === null) top = [2.5, 5, 10, 25, 50, 100, 1000].find((most) => ratio <= 0.9 * most) ?? ratio * 1.2;
    const look = JSON.stringify([top, answer.until, answer.arrivals, answer.style.colour, answer.shown]);
    if (strip.dataset.look === look) return;
    strip.dataset.look = look;
    const y = (rate) => base - (rate / top) * STRIP;
    const block = (end, cls) => svg("rect", { x: LEFT, y: y(ratio), width: Math.max(0, Math.min(x(end), LEFT + WIDE) - LEFT),
      height: base - y(ratio), class: cls, fill: answer.style.colour });
    const axes = svg("g", { class: "dtm-axes" });
    axis(axes, { x: LEFT, y: base, length: STRIP, top, upright: true, label: "arrivals / C" });
    axes.append(svg("line", { x1: LEFT, x2: LEFT + WIDE, y1: base, y2: base }),
      svg("line", { x1: LEFT, x2: LEFT + WIDE, y1: y(1), y2: y(1), class: "dtm-port" }),
      svg("text", { x: LEFT + WIDE, y: y(1) - 4, "text-anchor": "end" }, "rate of the port"));
    renew(strip, axes, ...ends.map((end, n) => block(end, n ? "dtm-other" : "dtm-burst")));
    const place = (node, end, rate, text) => {
      node.setAttribute("transform", `translate(${Math.min(x(end), LEFT + WIDE)},${y(rate)})`);
      node.setAttribute("aria-valuetext", text);
    };
    place(corner, ends[0], ratio, `${answer.shown.ratio}, ${answer.shown.length}`);
    corner.style.display = movable("ratio") || movable("length") ? "" : "none";
    other.style.display = ends.length > 1 && movable("others") ? "" : "none";
    if (ends.length > 1) place(other, ends[1], ratio / 2, answer.shown.others);
  }

  function drawMap() {
    map.classList.toggle("dtm-stale", !answer.map);
    if (answer.map) drawRegions(answer.map);
    const { alpha, ratio } = regions;
    if (!alpha) return;
    const a = alpha.indexOf(values.alpha), r = ratio.indexOf(values.ratio);
    point.style.display = a >= 0 && r >= 0 ? "" : "none";
    const [x, y] = [(a + 0.5) * (mapSize / alpha.length), mapSize - (r + 0.5) * (mapSize / ratio.length)];
    point.setAttribute("transform", `translate(${x},${y})`);
    point.setAttribute("aria-valuetext", `alpha ${values.alpha}, ${answer.shown.ratio}`);
  }

  function drawRegions(given) {
    regions = given;
    const { alpha, ratio, rows: cells } = regions;
    map.style.display = cells ? "" : "none";
    mapKey.replaceChildren();
    mapLayer.replaceChildren();
    if (!cells) return;
    const w = mapSize / alpha.length, h = mapSize / ratio.length;
    // A path for each letter: hundreds of cells would be painted anew in each picture.
    const shapes = {};
    cells.forEach((row, up) => [...row.matchAll(/(.)\1*/g)].forEach(({ 0: run, 1: letter, index }) => {
      const wide = run.length * w + 0.3, high = h + 0.3;
      shapes[letter] = `${shapes[letter] ?? ""}M${index * w},${mapSize - (up + 1) * h}h${wide}v${high}h${-wide}z`;
    }));
    mapLayer.append(svg("g", { class: "dtm-cells" }, ...Object.entries(shapes).map(([letter, d]) => svg("path", { d, class: LETTERS[letter][1] }))));
    const labels = svg("g", { class: "dtm-axes" });
    alpha.forEach((text, n) => {
      if (Number.isInteger(Math.log2(number(text)) / 2)) labels.append(svg("text", { x: (n + 0.5) * w, y: mapSize + 15, "text-anchor": "middle" }, text));
    });
    ratio.forEach((text, n) => {
      const short = String(Number(number(text).toPrecision(3)));
      if (n % 4 === 3) labels.append(svg("text", { x: -5, y: mapSize - (n + 0.5) * h + 4, "text-anchor": "end" }, short));
    });
    labels.append(svg("text", { x: mapSize / 2, y: mapSize + 34, "text-anchor": "middle" }, "α"),
      svg("text", { transform: `translate(-32,${mapSize / 2}) rotate(-90)`, "text-anchor": "middle" }, "R / C"));
    mapLayer.append(labels);
    mapKey.append(...Object.entries(LETTERS).filter(([letter]) => letter in shapes).map(([, [text, cls]]) =>
      html("li", {}, svg("svg", { width: 30, height: 12, "aria-hidden": "true" },
        svg("rect", { width: 30, height: 12, class: cls })), text)));
  }

  function stand(given, last) {
    if (last) values = { ...given.values };
    for (const [slider, row] of Object.entries(rows)) row.set(last ? values[slider] : null, given.shown[slider]);
  }

  function show(given, last = true) {
    if (given.error) {
      renew(note, given.error);
      if (answer && !held) stand(answer, true); // a dragged slider stays under the pointer
      return;
    }
    answer = given;
    stand(given, last);
    picture.draw(answer, ghost);
    drawArrivals();
    drawMap();
    const roles = answer.style.colour + answer.lines.map(({ role }) => role).join();
    if (key.dataset.roles !== roles) renew(key, ...legend(answer, name));
    key.dataset.roles = roles;
    renew(summary, ...pairs(answer.summary));
    write(answer.formula);
    renew(theorems, ...theoremLines(answer));
    renew(scene, `${answer.scene} (${answer.settings || answer.values.policy})`);
    renew(note, answer.note);
  }

  // Dragging: the position of the pointer becomes the nearest values of two sliders.
  function draggable(node, surface, moved, keys) {
    const where = (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(surface.getScreenCTM().inverse());
      return [at.x, at.y];
    };
    const step = (wanted) => {
      let differs = false;
      for (const [key, place] of Object.entries(wanted)) {
        const text = rows[key]?.options[place];
        if (text !== undefined && text !== values[key]) { values = { ...values, [key]: text }; differs = true; }
      }
      if (differs) request();
    };
    const named = [...new Set(Object.values(keys).map(([key]) => key))];
    if (named.length === 1) for (const kind of ["pointerenter", "pointerdown", "focus"]) node.addEventListener(kind, () => near(named[0]));
    node.addEventListener("pointerdown", (event) => {
      node.setPointerCapture(event.pointerId);
      event.preventDefault();
      node.focus();
      begun();
      const move = (next) => step(moved(...where(next)));
      const up = () => {
        node.removeEventListener("pointermove", move);
        node.removeEventListener("pointerup", up);
        node.removeEventListener("pointercancel", up);
        settled();
      };
      node.addEventListener("pointermove", move);
      node.addEventListener("pointerup", up);
      node.addEventListener("pointercancel", up);
    });
    node.addEventListener("keydown", (event) => {
      const [key, by] = keys[event.key] ?? [];
      if (!key || !rows[key]) return;
      event.preventDefault();
      ghost = answer;
      step({ [key]: rows[key].options.indexOf(values[key]) + by });
    });
  }
  const length = (x) => ((x - LEFT) / WIDE) * answer.until;
  const perLength = () => answer.arrivals.ends[0] / number(values.length);
  draggable(corner, drawing, (x, y) => ({
    ...(movable("length") && { length: nearest(rows.length.options, length(x) / perLength()) }),
    ...(movable("ratio") && { ratio: nearest(rows.ratio.options, ((base - y) / STRIP) * top) }),
  }), { ArrowRight: ["length", 1], ArrowLeft: ["length", -1], ArrowUp: ["ratio", 1], ArrowDown: ["ratio", -1] });
  draggable(other, drawing, (x) => ({ others: nearest(rows.others.options, length(x) / answer.arrivals.ends[0]) }),
    { ArrowRight: ["others", 1], ArrowLeft: ["others", -1] });
  draggable(point, map, (x, y) => ({
    ...(movable("alpha") && { alpha: Math.floor((x / mapSize) * regions.alpha.length) }),
    ...(movable("ratio") && { ratio: Math.floor((1 - y / mapSize) * regions.ratio.length) }),
  }), { ArrowRight: ["alpha", 1], ArrowLeft: ["alpha", -1], ArrowUp: ["ratio", 1], ArrowDown: ["ratio", -1] });

  const { ask, ahead } = conversation(model, el, show);
  show(model.get("answer"));
}

// The longest lossless bursts by N: a line for each policy, a ring at its minimum, a square at the M and N of the sliders.
function guaranteePicture(layer, size, { top, unit: [name, perSecond], styles, marks, here, worst, ...times }) {
  const ports = times.EDT.length, x = (n) => (ports > 1 ? (n / (ports - 1)) * size : size / 2), y = (t) => size - (t / (1.05 * top)) * size;
  const axes = svg("g", { class: "dtm-axes" });
  axis(axes, { x: 0, y: size, length: size, top: 1.05 * top * perSecond, upright: true, label: `without a loss (${name})` });
  axis(axes, { x: 0, y: size, length: size, top: Math.max(1, ports - 1), label: "N, steady ports (M = P - N)" });
  const lines = Object.entries(styles).flatMap(([policy, { colour, dashes }]) => [
    svg("path", { class: "dtm-line", d: path(times[policy].map((t, n) => [x(n), y(t)])), stroke: colour, "stroke-width": 2.5,
      "stroke-dasharray": dashes.join(" ") || null }),
    put(svg("circle", { cx: x(marks[policy][0]), cy: y(marks[policy][1]), r: 7, class: "dtm-said" }), {},
      [svg("title", {}, `${policy}: ${worst[policy]}`)])]);
  const [n, t] = here;
  const place = n < ports ? [svg("rect", { x: x(n) - 5, y: y(t) - 5, width: 10, height: 10, class: "dtm-said" })] : [];
  renew(layer, axes, ...lines, ...place);
}

function designer(model, el) {
  const start = model.get("start");
  const name = `dtm${Math.random().toString(36).slice(2)}`;
  let values = { ...start.values }, answer = null, ghost = null, held = false;
  const request = () => ask({ values, ...(held && { held: answer.span }) });
  const { box, rows } = sliderRows(start, {
    near(key) { ahead(around(rows[key], values, key).map((chosen) => ({ values: chosen, held: answer.span }))); },
    begun() { if (!held) { ghost = answer; held = true; } },
    changed(key, text) { values = { ...values, [key]: text }; request(); },
    settled() { held = false; request(); },
  });
  const picture = queuePicture(name), size = 230, layer = svg("g");
  const drawing = svg("svg", { viewBox: `0 0 ${LEFT + WIDE + 16} ${TOP + TALL + 40}`, class: "dtm-drawing", role: "img",
    "aria-label": "queue lengths under EDT, the threshold and the free buffer over time" }, ...picture.parts);
  const chart = svg("svg", { viewBox: `-56 -8 ${size + 72} ${size + 48}`, class: "dtm-map", role: "img" }, layer);
  const key = html("ul", { class: "dtm-legend" }), chartKey = html("ul", { class: "dtm-legend" });
  const scene = html("p", { class: "dtm-note" }), note = html("p", { class: "dtm-note", role: "status" });
  const body = html("tbody"), formula = html("p", { class: "dtm-formula", tabindex: 0 }), write = mathematics(formula), theorems = html("div", { class: "dtm-theorems" });
  const head = html("tr", {}, ...["setting", "value", "protection"].map((text) => html("th", { scope: "col" }, text)));
  const sheet = html("table", { class: "dtm-sheet" }, html("thead", {}, head), body);
  el.append(html("div", { class: "dtm" }, scene, html("div", { class: "dtm-columns" },
    html("div", { class: "dtm-figure" }, drawing, key), html("div", { class: "dtm-side" }, box, chart, chartKey)),
    note, sheet, formula, theorems));
  const sample = (node) => svg("svg", { width: 30, height: 12, "aria-hidden": "true" }, node);

  function stand(given, last) {
    if (last) values = { ...given.values };
    for (const [slider, row] of Object.entries(rows)) row.set(last ? values[slider] : null, given.shown[slider]);
  }

  function show(given, last = true) {
    if (given.error) {
      renew(note, given.error);
      if (answer && !held) stand(answer, true); // a dragged slider stays under the pointer
      return;
    }
    answer = given;
    stand(given, last);
    picture.draw(answer, ghost);
    renew(key, ...legend(answer, name));
    guaranteePicture(layer, size, answer.guarantee);
    chart.setAttribute("aria-label", Object.entries(answer.guarantee.worst).map(([policy, text]) => `${policy}: ${text}`).join("; "));
    renew(chartKey, ...Object.entries(answer.guarantee.styles).map(([policy, { colour, dashes }]) => html("li", {},
      sample(svg("line", { x2: 30, y1: 6, y2: 6, stroke: colour, "stroke-width": 2.5, "stroke-dasharray": dashes.join(" ") || null })),
      `${policy}: ${answer.guarantee.worst[policy]}`)),
    html("li", {}, sample(svg("rect", { x: 10, y: 1, width: 10, height: 10, class: "dtm-said" })), "EDT at the M and N of the sliders"));
    renew(body, ...answer.rows.map(([term, value, says]) =>
      html("tr", {}, html("th", { scope: "row" }, term), html("td", {}, value), html("td", {}, says))));
    write(answer.formula);
    renew(theorems, ...theoremLines(answer));
    renew(scene, answer.scene);
    renew(note, answer.note);
  }
  const { ask, ahead } = conversation(model, el, show);
  show(model.get("answer"));
}

// Queues as columns of packets, with their limits.
function drawBars(drawing, answer, id) {
  const y = (size) => TOP + ((answer.top - size) / (answer.top - answer.bottom)) * TALL;
  const slot = WIDE / answer.bars.length, wide = Math.min(150, slot * 0.6);
  const hatch = svg("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("line", { x1: 0, x2: 0, y1: 0, y2: 6, class: "dtm-hatch" }));
  const frame = svg("g", { class: "dtm-axes" });
  axis(frame, { x: LEFT, y: y(0), length: y(0) - y(answer.top), top: answer.top, upright: true, label: answer.unit });
  frame.append(svg("line", { x1: LEFT, x2: LEFT + WIDE, y1: y(0), y2: y(0) }));
  renew(drawing, svg("defs", {}, hatch), frame, ...answer.bars.map((bar, n) => {
    const x = LEFT + slot * n + (slot - wide) / 2, group = svg("g");
    let below = 0;
    for (const { text, size, kind, marked } of bar.boxes) {
      const [low, high] = [Math.min(below, below + size), Math.max(below, below + size)];
      const place = { x, y: y(high), width: wide, height: y(low) - y(high) };
      group.append(svg("rect", { ...place, class: `dtm-box dtm-${kind}` }));
      if (marked) group.append(svg("rect", { ...place, fill: `url(#${id})` }));
      group.append(svg("text", { x: x + wide / 2, y: (y(low) + y(high)) / 2 + 4, "text-anchor": "middle", class: "dtm-number" }, text));
      below += size;
    }
    for (const [name, limit] of bar.limits) {
      group.append(svg("line", { x1: x - 12, x2: x + wide + 12, y1: y(limit), y2: y(limit), class: "dtm-threshold" }),
        svg("text", { x: x + wide + 16, y: y(limit) + 4 }, name));
    }
    group.append(svg("text", { x: x + wide / 2, y: TOP + TALL + 30, "text-anchor": "middle" }, bar.label));
    return group;
  }));
  drawing.setAttribute("aria-label", answer.bars.map(({ label, boxes }) =>
    `${label}: ${boxes.reduce((sum, { size }) => sum + size, 0)} ${answer.unit}`).join("; "));
}

function player(model, el) {
  const start = model.get("start");
  const id = `dtm${Math.random().toString(36).slice(2)}`;
  let values = { ...start.values }, timer = null;
  const go = (place) => {
    const last = start.sliders[0].options.length - 1;
    values = { step: String(Math.max(0, Math.min(last, place))) };
    ask({ values });
    if (Number(values.step) === last) stop();
  };
  const at = () => Number(values.step);
  const stop = () => { clearInterval(timer); timer = null; play.textContent = "play"; };
  const button = (text, label, does) => {
    const made = html("button", { type: "button", "aria-label": label }, text);
    made.addEventListener("click", does);
    return made;
  };
  const { box, rows } = sliderRows(start, { near() {}, begun() {}, changed: (_, text) => go(Number(text)), settled() {} });
  const play = button("play", "play or pause", () => {
    if (timer) return stop();
    if (at() === start.sliders[0].options.length - 1) go(0);
    play.textContent = "pause";
    timer = setInterval(() => go(at() + 1), 800);
  });
  const tools = html("div", { class: "dtm-tools" }, button("|◀", "to the start", () => go(0)),
    button("◀", "one event back", () => go(at() - 1)), button("▶", "one event on", () => go(at() + 1)),
    button("▶|", "to the end", () => go(Infinity)), play);
  const drawing = svg("svg", { viewBox: `0 0 ${LEFT + WIDE + 16} ${TOP + TALL + 40}`, class: "dtm-drawing", role: "img" });
  const title = html("p", { class: "dtm-note" }), says = html("p", { class: "dtm-note" });
  const decision = html("p", { role: "status" }), facts = html("dl", { class: "dtm-summary" });
  const events = html("ol", { class: "dtm-events" });
  el.append(html("div", { class: "dtm" }, title, html("div", { class: "dtm-columns" },
    html("div", { class: "dtm-figure" }, drawing, tools, box), html("div", { class: "dtm-side" }, decision, facts, events)), says));

  function show(answer, last = true) {
    if (answer.error) { renew(decision, answer.error); return; }
    const here = Number(answer.values.step);
    if (last) values = { ...answer.values };
    rows.step.set(last ? values.step : null, answer.shown.step);
    renew(title, html("strong", {}, answer.name));
    renew(says, answer.says);
    drawBars(drawing, answer, id);
    renew(decision, html("strong", {}, answer.decision || "before the first event"), ` ${answer.reason}`);
    renew(facts, ...pairs(answer.facts));
    if (!events.hasChildNodes()) events.append(...answer.events.map((text, n) => // the nodes are reused, so that the focus stays
      html("li", {}, button(text, `to event ${n + 1}: ${text}`, () => go(n + 1)))));
    [...events.children].forEach((row, n) => row.setAttribute("aria-current", n + 1 === here ? "step" : "false"));
  }
  const { ask, ahead } = conversation(model, el, show);
  show(model.get("answer"));
  ahead(around(rows.step, values, "step").map((chosen) => ({ values: chosen })));
}

// The reader sends packets; every answer has both buffers after all moves so far.
function adversary(model, el) {
  const start = model.get("start"), id = `dtm${Math.random().toString(36).slice(2)}`;
  const script = start.values.moves.split(" ").filter(Boolean);
  let moves = start.values.moves;
  const go = (wanted) => { moves = wanted.trim(); ask({ values: { moves } }); };
  const button = (text, does) => {
    const made = html("button", { type: "button", disabled: start.live ? null : "" }, text);
    made.addEventListener("click", does);
    return made;
  };
  const drawing = svg("svg", { viewBox: `0 0 ${LEFT + WIDE + 16} ${TOP + TALL + 40}`, class: "dtm-drawing", role: "img" });
  const tools = html("div", { class: "dtm-tools" }, ...start.moves.map(([text, adds]) => button(text, () => go(`${moves} ${adds}`))),
    button("undo", () => go(moves.split(" ").slice(0, -1).join(" "))), button("new game", () => go("")),
    ...(script.length ? [button("next move of the script", () => go(script.slice(0, moves ? moves.split(" ").length + 1 : 1).join(" ")))] : []));
  const title = html("p", { class: "dtm-note" }), says = html("p", { class: "dtm-note" });
  const decision = html("p", { role: "status" }), facts = html("dl", { class: "dtm-summary" }), line = html("p", { class: "dtm-note" });
  el.append(html("div", { class: "dtm" }, title, html("div", { class: "dtm-columns" },
    html("div", { class: "dtm-figure" }, drawing, tools), html("div", { class: "dtm-side" }, decision, facts, line)), says));
  function show(answer, last = true) {
    if (answer.error) { renew(decision, answer.error); return; }
    if (last) moves = answer.values.moves;
    renew(title, html("strong", {}, answer.name));
    renew(says, answer.says);
    renew(decision, answer.decision);
    renew(line, `moves: ${answer.values.moves || "none"}`);
    drawBars(drawing, answer, id);
    renew(facts, ...pairs(answer.facts));
  }
  const { ask } = conversation(model, el, show);
  show(model.get("answer"));
}

// Menus, numbers and texts, and an answer that Python writes as HTML.
function form(model, el) {
  const start = model.get("start"), values = { ...start.values }, rows = {};
  const answered = html("div", { class: "dtm-answer", tabindex: 0 }), note = html("p", { class: "dtm-note", role: "status" });
  const field = ({ name, label, options }) => {
    const many = options.length > 12 && options.every((text) => /^[\d/]+$/.test(text)), shown = html("output");
    const input = many ? html("input", { type: "range", min: 0, max: options.length - 1 })
      : options.length ? html("select", {}, ...options.map((option) => html("option", {}, option)))
        : html("textarea", { rows: values[name].length > 60 ? 12 : 1, spellcheck: "false" });
    const stand = () => {
      shown.textContent = many ? values[name] : "";
      if (many) input.setAttribute("aria-valuetext", values[name]);
    };
    const move = (text) => {
      values[name] = text;
      stand();
      if (!many) note.textContent = "computing…";
      ask({ values: { ...values } });
    };
    input.value = many ? options.indexOf(values[name]) : values[name];
    stand();
    input.addEventListener(many ? "input" : "change", () => move(many ? options[Number(input.value)] : input.value));
    input.addEventListener("dragover", (event) => event.preventDefault());
    input.addEventListener("drop", async (event) => {
      const [file] = event.dataTransfer.files;
      if (options.length || !file) return;
      event.preventDefault();
      input.value = await file.text();
      move(input.value);
    });
    return (rows[name] = html("label", {}, html("span", {}, label), input, shown));
  };
  const show = (answer) => {
    renew(note, answer.error ?? "");
    if (answer.error) return;
    answered.innerHTML = answer.html;
    for (const [name, row] of Object.entries(rows)) row.hidden = answer.idle?.includes(name) ?? false;
  };
  const fields = html("div", { class: "dtm-sliders dtm-fields" }, ...start.fields.map(field));
  el.append(html("div", { class: "dtm" }, html("p", { class: "dtm-note" }, start.note), fields, note, answered));
  const { ask } = conversation(model, el, show);
  show(model.get("answer"));
}

const PANELS = { explorer, designer, player, adversary, form };

function render({ model, el }) {
  // Keys stay within the focused element; else JupyterLab would fold headings with arrows and take the focus away.
  el.addEventListener("focusin", ({ target }) => { target.dataset.lmSuppressShortcuts = "true"; });
  PANELS[model.get("start").kind](model, el);
}

// A page: answers that were computed before are looked up by the values of the sliders in `over`. With `live`, the place of
// python.js and the name of the panel, Python computes all answers as soon as it has started.
function play(el, start, { over, first }, live = null) {
  const place = (values) => over.map((name) => values[name]).join("|");
  const state = { start, answer: first };
  let known = null; // the first picture waits neither for the answers to arrive nor to be parsed
  const stored = () => document.getElementById("answers")?.textContent ?? "";
  const answers = () => {
    if (!known && !live && document.readyState !== "loading") known = JSON.parse(stored());
    return known ?? {};
  };
  const listeners = [], status = html("p", { class: "dtm-note", role: "status" });
  let python = null, waiting = live ? [] : null;
  const hear = ({ view, serial }, answer) => { for (const heard of listeners) heard({ ...answer, view, serial }); };
  const recorded = ({ values, do: act }) => (values && !act
    && Object.keys(start.values).every((name) => over.includes(name) || values[name] === start.values[name])
    ? answers()[place(values)] : null);
  const send = (message) => {
    if (python) return python.respond(live[1], message).then((answer) => hear(message, answer), (error) => failed(error, message));
    const found = recorded(message);
    if (found) hear(message, found);
    else if (waiting) waiting.push(message);
    else hear(message, message.ahead ? { ahead: message.ahead.map(() => ({ error: OFFLINE })) } : { error: OFFLINE });
  };
  const failed = ({ message }, ...asked) => {
    status.textContent = `Recorded answers only. ${message}. ${OFFLINE}`;
    const left = [...asked, ...(waiting ?? [])];
    python = waiting = null;
    left.forEach(send);
  };
  el.append(html("h1", {}, start.title));
  render({ model: { get: (name) => state[name], on: (_event, heard) => listeners.push(heard), send }, el });
  if (!live) return;
  const again = () => {
    const left = waiting ?? [];
    waiting = python || !waiting ? null : [];
    left.forEach(send);
  };
  const unpack = async () => { // the answers of a page that is live are compressed
    if (document.readyState === "loading") await new Promise((done) => addEventListener("DOMContentLoaded", done, { once: true }));
    const packed = Uint8Array.from(atob(stored()), (letter) => letter.charCodeAt(0));
    known = packed.length ? await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json() : {};
    again();
  };
  const unpacked = unpack().catch(() => {});
  el.append(status);
  status.textContent = "Recorded answers; Python is starting in this page…";
  const disk = location.protocol === "file:" && !live[0].startsWith("data:"); // a browser loads no module from there
  (disk ? Promise.reject(new Error("This page was opened from disk")) : import(live[0])).then(async (module) => {
    await module.python.ready();
    python = module.python;
    status.textContent = "Live: Python computes every answer in this page, and nothing leaves it.";
    again();
  }).catch((error) => unpacked.then(() => failed(error)));
}
const OFFLINE = "All settings move on a served page: dtmodel lab --serve, or python -m http.server in the folder of the site.";

export default { render };
