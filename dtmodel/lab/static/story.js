// The page "Where does the burst go?". Each step draws recorded answers; the button lets Python compute them in the page.
let computing = null; // the Python of python.js, once it has started

function storyModel(name, { start, answers }) {
  const [control] = start.movable, listeners = [];
  const answered = ({ values }) => (computing ? computing.respond(`story.${name}`, { values }) : answers[values[control]]);
  return {
    get: (key) => ({ start, answer: answers[start.values[control]] })[key],
    on: (_event, heard) => listeners.push(heard),
    async send({ values, view, serial }) {
      const answer = await answered({ values });
      for (const heard of listeners) heard({ ...answer, view, serial });
    },
  };
}

function storyStep(el, data) {
  const { start, answers } = data, [control] = start.movable, { options } = start.sliders[0], { step } = el.dataset;
  const section = el.closest("section"), reply = section.querySelector(".story-reply"), model = storyModel(step, data);
  const picture = queuePicture(`story-${step}`);
  const drawing = svg("svg", { viewBox: `0 0 ${LEFT + WIDE + 16} ${TOP + TALL + 40}`, class: "dtm-drawing", role: "img" }, ...picture.parts);
  const says = html("p", { class: "story-says", role: "status" }), key = html("ul", { class: "dtm-legend" });
  const give = html("button", { type: "button" }, "Show me");
  const move = (text) => ask({ values: { [control]: text } });
  give.addEventListener("click", () => move(options.find((text) => answers[text].found)));
  const { box, rows } = sliderRows(start, { near() {}, begun() {}, changed: (_, text) => move(text), settled() {} });
  const caption = html("figcaption", {}, "Queue lengths over time");
  el.append(html("div", { class: "dtm" }, box, says, html("figure", { class: "story-figure" }, drawing, caption), key, give));
  reply.hidden = true;

  function show(answer) {
    if (answer.error) { says.textContent = answer.error; return; }
    rows[control].set(answer.values[control], answer.shown[control]);
    picture.draw(answer, answer.beside.length ? { lines: answer.beside } : null);
    const roles = answer.style.colour + answer.lines.map(({ role }) => role).join();
    if (key.dataset.roles !== roles) key.replaceChildren(...legend(answer, `story-${step}`));
    key.dataset.roles = roles;
    says.textContent = answer.found ? `✓ ${answer.says}` : answer.says;
    drawing.setAttribute("aria-label", `Queue lengths over time. ${answer.says}`);
    caption.textContent = `Queue lengths in ${answer.units.bytes[0]}, over time in ${answer.units.time[0]}`;
    if (answer.found) {
      give.hidden = true;
      reply.hidden = false;
    }
  }

  // The words of the text point at parts of the picture.
  for (const word of section.querySelectorAll("[data-part]")) {
    const point = () => { drawing.dataset.part = word.dataset.part; }, leave = () => { delete drawing.dataset.part; };
    for (const kind of ["pointerenter", "focus", "click"]) word.addEventListener(kind, point);
    for (const kind of ["pointerleave", "blur"]) word.addEventListener(kind, leave);
  }
  const { ask } = conversation(model, el, show);
  show(model.get("answer"));
}

// Every recorded answer is computed again, and has to be the same; from then on the pictures are drawn from Python.
async function computeHere(source, steps) {
  try {
    const { python } = await import(new URL("python/python.js", document.baseURI).href);
    source.textContent = "Python is loading";
    await python.ready();
    let same = 0, all = 0;
    for (const [name, { start, answers }] of steps) {
      for (const [text, recorded] of Object.entries(answers)) {
        const { view, serial, ...found } = await python.respond(`story.${name}`, { values: { [start.movable[0]]: text } });
        all += 1;
        same += JSON.stringify(found) === JSON.stringify(recorded);
        source.textContent = `Python in this page has computed ${all}, of which ${same} are as they were recorded`;
      }
    }
    computing = python;
  } catch (error) {
    source.textContent = `recorded; Python cannot run here (${error.message}): serve the site, as with python -m http.server`;
  }
}

function story() {
  const steps = [...document.querySelectorAll(".story-step")].map((el) => [el, JSON.parse(el.querySelector("script").textContent)]);
  for (const [el, data] of steps) storyStep(el, data);
  const button = document.getElementById("story-live"), source = document.getElementById("story-source");
  source.setAttribute("role", "status");
  button.hidden = false;
  button.addEventListener("click", () => {
    button.hidden = true;
    computeHere(source, steps.map(([el, data]) => [el.dataset.step, data]));
  });
}
story();
