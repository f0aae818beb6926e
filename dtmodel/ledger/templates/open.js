// Opens the page at the claim #id and the folded sections around it; makes scrolling boxes reachable by keys.
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

const SCROLLS = ".statement, .settings div, dd, pre, .scroll, .formula, .table-wrapper, .output, [class^=highlight]";
const FOLDED = "details:not([open]) > :not(summary)"; // measuring folded parts would lay them out, a minute in the report
function reachable(whole) {
  const shown = [...whole.querySelectorAll(SCROLLS)].filter((part) => !part.closest(FOLDED));
  for (const part of shown.filter((part) => part.scrollWidth > part.clientWidth)) part.tabIndex = 0;
}

addEventListener("toggle", (event) => reachable(event.target), true);
for (const happens of ["DOMContentLoaded", "resize"]) addEventListener(happens, () => reachable(document));
addEventListener("hashchange", openAt);
addEventListener("load", openAt);
openAt();
