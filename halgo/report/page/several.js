// The page reads without this. With it: the answers that are looked for, by words and by what they
// hold at worst, and no others, in the table and below it.
"use strict";
(() => {
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const find = document.getElementById("find");
  const said = document.getElementById("said");
  const buttons = all("[data-filter]");
  const rows = all("tr[data-worst]").map((row) => {
    const link = row.querySelector("td:first-child a");
    const section = link ? document.getElementById(link.hash.slice(1)) : null;
    return { row, section, worst: row.dataset.worst, words: null };
  });

  // What an answer is found by: its row and all that is said of it, gathered when it is first asked.
  function words(one) {
    if (one.words === null) {
      const below = one.section ? one.section.textContent : "";
      one.words = `${one.row.textContent} ${below}`.toLowerCase().replace(/\s+/g, " ");
    }
    return one.words;
  }

  function filter() {
    const off = new Set(
      buttons.filter((b) => b.getAttribute("aria-pressed") === "false").map((b) => b.dataset.filter),
    );
    const asked = find.value.trim().toLowerCase().replace(/\s+/g, " ");
    let left = 0;
    for (const one of rows) {
      const out = off.has(one.worst) || (asked !== "" && !words(one).includes(asked));
      one.row.hidden = out;
      if (one.section) one.section.hidden = out;
      left += out ? 0 : 1;
    }
    said.textContent = left === rows.length ? "" : `${left} of ${rows.length} answers shown`;
  }

  for (const button of buttons) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      filter();
    });
  }

  let waiting = 0;
  find.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 150); // milliseconds after the last key, so that typing stays smooth
  });

  for (const node of all("[data-js]")) node.hidden = false;
  if (find.value) filter(); // what a browser has kept of an earlier visit
})();
