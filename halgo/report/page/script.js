// The page reads without this. With it: a claim picked in one pane is shown in the others, keys,
// filters, the two views of the answer, and labels that are saved as golden rows.
"use strict";
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const one = (selector) => document.querySelector(selector);
  const beside = window.matchMedia("(min-width: 720px) and (min-height: 480px)");
  const byId = (id) => document.getElementById(id);
  let current = null;

  // --- picking a claim ---------------------------------------------------------------------------

  // The nodes of each claim, looked up once: in a long report a search of all is slow.
  let index = null;

  function nodesOf(n) {
    if (index === null) {
      index = new Map();
      for (const node of all("[data-claim], [data-c], [data-yes], [data-no]")) {
        const { claim, c, yes, no } = node.dataset;
        for (const [as, numbers] of [["current", claim || c], ["yes", yes], ["no", no]]) {
          for (const number of numbers ? numbers.split(" ") : []) {
            if (!index.has(number)) index.set(number, []);
            index.get(number).push([node, as]);
          }
        }
      }
    }
    return index.get(n) || [];
  }

  function mark(n, on) {
    for (const [node, as] of nodesOf(n)) node.classList.toggle(as, on);
  }

  const ROOM = 120; // pixels below a place, for what begins there

  // Brings a node into view; one that stands well in its pane stays where it is.
  function reveal(node) {
    const pane = beside.matches ? node.closest(".pane") : null;
    const frame = pane ? pane.getBoundingClientRect() : { top: 0, bottom: window.innerHeight };
    const box = node.getBoundingClientRect();
    if (box.top >= frame.top && box.bottom + ROOM <= frame.bottom) return;
    const tall = box.height > (frame.bottom - frame.top) * 0.8;
    node.scrollIntoView({ block: tall ? "start" : "center" });
  }

  // Shows claim n in all panes but the one it was picked in; on one column, goes to `target`.
  function select(n, from = null, target = null) {
    if (current !== null) mark(current, false);
    current = String(n);
    mark(current, true);
    const start = byId(`a${current}`);
    if (start) roving(start);
    if (beside.matches) {
      for (const [pane, letter] of [["answer", "a"], ["claims", "c"], ["sources", "p"]]) {
        const node = byId(letter + current);
        const stays = from && from.id === pane && !(target && from.contains(target));
        if (node && !node.hidden && !stays) reveal(node);
      }
    } else if (target) {
      reveal(target);
    }
    try {
      history.replaceState(null, "", `#c${current}`);
    } catch {
      // A page inside another has no address of its own.
    }
  }

  let stop = null;

  function roving(to) {
    if (stop) stop.tabIndex = -1;
    stop = to;
    to.tabIndex = 0;
  }

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const node = event.target.closest("a, button, select, summary, label, [data-claim]");
    if (!node) return;
    const from = node.closest(".pane");
    if (node.matches("a.claim")) {
      event.preventDefault();
      select(node.dataset.claim, from, byId(`c${node.dataset.claim}`));
    } else if (node.matches("[data-to]")) {
      event.preventDefault();
      view("as-written");
      select(node.dataset.to, from, byId(node.hash.slice(1)));
    } else if (node.matches("[data-view]")) {
      event.preventDefault();
      view(node.dataset.view);
    } else if (node.matches("[data-filter]")) {
      const off = node.getAttribute("aria-pressed") === "true";
      node.setAttribute("aria-pressed", String(!off));
      filter();
    } else if (node.matches("[data-label]")) {
      label(node);
    } else if (node.matches(".card") && String(getSelection()) === "") {
      select(node.dataset.claim, from, null);
    } else if (node.id === "save") {
      save();
    } else if (node.id === "keys") {
      one("#help").showModal();
    } else if (node.id === "close") {
      one("#help").close();
    } else if (node.hash && !node.matches(".skip")) {
      const place = document.getElementById(node.hash.slice(1));
      if (place) {
        event.preventDefault();
        place.scrollIntoView({ block: "start" });
      }
    }
  });

  // --- keys --------------------------------------------------------------------------------------

  // The next card that is shown, `by` steps on; the first or the last when none is picked.
  function beyond(by) {
    const way = by > 0 ? "nextElementSibling" : "previousElementSibling";
    let card = current === null ? null : byId(`c${current}`);
    if (card) card = card[way];
    else card = one(by > 0 ? ".card" : ".card:last-of-type");
    while (card && (card.hidden || !card.matches(".card"))) card = card[way];
    return card;
  }

  function step(by) {
    const card = beyond(by);
    if (!card) return;
    view("as-written");
    const n = card.dataset.claim;
    const claim = byId(`a${n}`);
    (claim || card.querySelector("a")).focus({ preventScroll: true });
    select(n, null, claim || card);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea, dialog")) return;
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "?") one("#help").showModal();
    else if ((event.key === "r" || event.key === "w") && current !== null) {
      const which = event.key === "r" ? "right" : "wrong";
      const button = one(`#c${current} [data-label="${which}"]`);
      if (button) label(button);
    }
  });

  // --- views and filters -------------------------------------------------------------------------

  let shown = null;

  function view(name) {
    const there = byId(name);
    if (!there || !one(".tabs") || (there === shown && !there.hidden)) return;
    shown = there;
    for (const tab of all("[data-view]")) {
      const on = tab.dataset.view === name;
      if (on) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
      document.getElementById(tab.dataset.view).hidden = !on;
    }
  }

  function filter() {
    const off = new Set(all('[data-filter][aria-pressed="false"]').map((b) => b.dataset.filter));
    const source = one("#by-source") ? one("#by-source").value : "";
    let left = 0;
    for (const card of all(".card")) {
      const out = off.has(card.dataset.verdict) || (source && card.dataset.source !== source);
      card.hidden = Boolean(out);
      left += out ? 0 : 1;
      for (const [node] of nodesOf(card.dataset.claim)) {
        if (node.matches(".claim")) node.classList.toggle("off", Boolean(out));
      }
    }
    if (one("#none")) one("#none").hidden = left > 0;
    say(`${left} claims shown`);
  }

  document.addEventListener("change", (event) => {
    if (event.target.id === "by-source") filter();
    else if (event.target.matches(".judge select")) {
      labels.set(event.target.closest(".card").dataset.claim, event.target.value);
      saved = false;
    }
  });

  // --- labels: right, wrong, and the rows that they become ---------------------------------------

  const LABELS = [
    ["supported", "The sources say so"],
    ["unsupported", "The sources do not say so"],
    ["contradicted", "The sources say otherwise"],
  ];
  const labels = new Map();
  let saved = true;

  function known() {
    const data = one("#rows");
    return data ? JSON.parse(data.textContent) : { documents: [], claims: {} };
  }

  function label(button) {
    const group = button.closest(".judge");
    const card = button.closest(".card");
    const n = card.dataset.claim;
    const on = button.getAttribute("aria-pressed") !== "true";
    for (const other of all("[data-label]", group)) other.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", String(on));
    const choice = group.querySelector("select") || choices(group, n);
    const said = card.dataset.label;
    const wrong = on && button.dataset.label === "wrong";
    choice.hidden = !wrong;
    if (wrong) {
      // What halgo said is what is wrong, so that is no choice.
      for (const option of choice.options) option.disabled = option.value === said;
      choice.value = said === "supported" ? "unsupported" : "supported";
    }
    if (on) labels.set(n, wrong ? choice.value : said);
    else labels.delete(n);
    saved = labels.size === 0;
    const save = one("#save");
    save.disabled = labels.size === 0;
    save.classList.toggle("ready", labels.size > 0);
    save.textContent = labels.size ? `Save ${labels.size} label${labels.size > 1 ? "s" : ""}` : "Save labels";
    say(on ? `Claim ${n}: ${button.dataset.label}` : `Claim ${n}: no label`);
  }

  function choices(group, n) {
    const select = document.createElement("select");
    select.setAttribute("aria-label", `What is true of claim ${n}`);
    for (const [value, said] of LABELS) select.add(new Option(said, value));
    group.append(" ", select);
    return select;
  }

  function lines() {
    const { documents, claims } = known();
    return Array.from(labels.keys())
      .filter((n) => claims[n])
      .sort((a, b) => a - b)
      .map((n) => {
        const { id, claim, verdict, documents: held } = claims[n];
        const row = { id, documents: held.map((at) => documents[at]), claim, label: labels.get(n), found: verdict };
        return JSON.stringify(row) + "\n";
      })
      .join("");
  }

  function save() {
    const file = new Blob([lines()], { type: "application/jsonl" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = "golden.jsonl";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    saved = true;
    say(`${labels.size} labels saved`);
  }

  window.addEventListener("beforeunload", (event) => {
    if (!saved) event.preventDefault();
  });

  function say(words) {
    const place = one("#said");
    if (place) place.textContent = words;
  }

  // --- start -------------------------------------------------------------------------------------

  // Called again by a page that has put in claims of its own.
  function refresh() {
    for (const node of all("[data-js]")) node.hidden = false;
    for (const node of all(".no-js")) node.hidden = true;
    index = null;
    const claims = all("#answer .claim");
    for (const node of claims) node.tabIndex = -1;
    if (claims.length) roving((current !== null && byId(`a${current}`)) || claims[0]);
  }

  refresh();
  view(location.hash === "#as-sent" ? "as-sent" : "as-written");
  const asked = /^#[acp](\d+)$/.exec(location.hash);
  if (asked && byId(`c${asked[1]}`)) select(asked[1], null, byId(location.hash.slice(1)));
  window.requestIdleCallback?.(() => nodesOf(""));
  window.halgo = { select, refresh, lines };
})();
