// Search and filters of the report. Without this script the page shows every claim.
"use strict";
const controls = document.getElementById("controls");
const claims = [...document.querySelectorAll("details.claim[id]")];
const found = document.getElementById("found");
const search = document.getElementById("search");
const chosen = [...controls.querySelectorAll("select")];
const words = new Map(claims.map((claim) => [claim, claim.textContent.toLowerCase()]));

function show() {
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const claim of claims) {
    const kept =
      chosen.every((select) => !select.value || claim.dataset[select.name] === select.value) &&
      wanted.every((word) => words.get(claim).includes(word));
    claim.hidden = !kept;
    count += kept;
  }
  for (const fold of document.querySelectorAll("details.folded")) {
    fold.hidden = !fold.querySelector("details.claim:not([hidden])");
  }
  found.textContent = `${count} of ${claims.length} claims`;
}

controls.hidden = false;
search.addEventListener("input", show);
for (const select of chosen) select.addEventListener("change", show);
show();
