// Names the two parts beside the page, which the theme leaves without one.
"use strict";
addEventListener("DOMContentLoaded", () => {
  document.querySelector("aside.sidebar-drawer")?.setAttribute("aria-label", "All pages");
  document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "On this page");
});

// A claim is checked in the reader's browser: the verdict is that of the evidence that ran there.
function checkable(claim, place) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "check it here" });
  const told = Object.assign(document.createElement("div"), { className: "checked", role: "status" });
  button.addEventListener("click", async () => {
    button.disabled = true;
    told.textContent = "Python is starting in this page; nothing leaves it…";
    try {
      const { python } = await import(place);
      const source = `from dtmodel.lab.browser import Checked\nChecked(${JSON.stringify(claim.id)})`;
      const { html, error } = await python.run(source);
      if (error) told.textContent = error;
      else told.innerHTML = html.join("");
    } catch (error) {
      told.textContent = `It cannot be checked here: ${error.message}. A served page can: python -m http.server in the site's folder.`;
    }
    button.disabled = false;
  });
  claim.append(button, told);
}
addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement.dataset.content_root ?? "./";
  const place = new URL(`${root}python/python.js`, location.href).href;
  for (const claim of document.querySelectorAll("details.claim[id]")) checkable(claim, place);
});
