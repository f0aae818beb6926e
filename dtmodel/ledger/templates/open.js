// Opens the page at #id: the claim of that id, and whatever is folded around it; lets keys reach what scrolls.
"use strict";
function openAt() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = target; part; part = part.parentElement) {
    if (part.tagName === "DETAILS") {
      part.open = true;
      part.hidden = false;
    }
  }
  target?.scrollIntoView({ behavior: "instant" });
}

const SCROLLS = ".statement, dd, pre, .scroll, .formula, .table-wrapper, .output, [class^=highlight]";
function reachable(whole) {
  for (const part of whole.querySelectorAll(SCROLLS)) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
  }
}

addEventListener("toggle", (event) => reachable(event.target), true);
for (const happens of ["DOMContentLoaded", "resize"]) addEventListener(happens, () => reachable(document));
addEventListener("hashchange", openAt);
addEventListener("load", openAt);
openAt();
