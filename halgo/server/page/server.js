// The page: documents to the server, an answer after them, and what comes back as it comes.
// Text of users becomes text nodes only; HTML comes from the server's own renderer.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const OWN = "page-";
  const PAUSE_MS = 700;
  let own = stored("index"); // the index of this tab's documents
  let running = null; // what stops the check that runs
  let html = ""; // the last report
  let timer = 0;
  let adding = Promise.resolve(); // until the files that were chosen are there
  let shown = 0; // how often documents were asked for: only the last answer is shown

  // --- talking to the server -------------------------------------------------------------------

  function stored(key, value) {
    try {
      if (value === undefined) return sessionStorage.getItem(`halgo-${key}`) || "";
      sessionStorage.setItem(`halgo-${key}`, value);
    } catch {
      // A browser that keeps nothing: then the next page begins afresh.
    }
    return value;
  }

  async function ask(path, options = {}) {
    const headers = new Headers(options.headers);
    if ($("token").value) headers.set("Authorization", `Bearer ${$("token").value}`);
    const answer = await fetch(path, { ...options, headers });
    if (answer.ok) return answer;
    const said = await answer.json().catch(() => ({ error: `status ${answer.status}` }));
    if (answer.status === 401) $("token-row").hidden = false;
    throw new Error(said.error);
  }

  async function json(path, options) {
    const answer = await ask(path, options);
    return answer.status === 204 ? null : answer.json();
  }

  function problem(error) {
    const said = error && error.name !== "AbortError" ? error.message || String(error) : "";
    $("problem").textContent = said === "Failed to fetch" ? "The server cannot be reached." : said;
    $("problem").hidden = !said;
  }

  function guarded(work) {
    return (...given) => work(...given).catch(problem);
  }

  // --- documents -------------------------------------------------------------------------------

  async function begin() {
    const [info, listed] = await Promise.all([json("/info"), json("/v1/indexes")]);
    problem(null);
    const policies = [["", "no policy"], ...info.profiles.map((name) => [name, name])];
    fill($("policy"), policies, stored("policy"));
    const named = listed.indexes.filter((one) => !one.name.startsWith(OWN) && !one.same_as);
    if (own && !listed.indexes.some((one) => one.name === own)) own = "";
    const names = named.map((one) => [one.name, `${one.name} (${counted(one.documents, "document")})`]);
    fill($("index"), [...names, [OWN, "my documents below"]], own || stored("chosen"));
    await show();
  }

  function fill(select, pairs, chosen) {
    select.replaceChildren(...pairs.map(([value, said]) => new Option(said, value)));
    const wanted = chosen.startsWith(OWN) ? OWN : chosen;
    if (pairs.some(([value]) => value === wanted)) select.value = wanted;
  }

  function counted(count, what) {
    return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
  }

  function chosen() {
    return $("index").value === OWN ? own : $("index").value;
  }

  async function show() {
    const name = chosen();
    const turn = ++shown;
    const found = name ? await json(`/v1/indexes/${encodeURIComponent(name)}`) : { contents: [], warnings: [] };
    if (turn !== shown) return;
    const rows = found.contents.slice(0, 200).map((one) => {
      const row = document.createElement("li");
      const title = document.createElement("span");
      const about = document.createElement("span");
      title.textContent = one.source;
      title.dir = "auto";
      about.className = "quiet";
      about.textContent = `${counted(one.characters, "character")} `;
      row.append(title, about);
      if (name === own) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "plain";
        button.textContent = "Remove";
        button.setAttribute("aria-label", `Remove ${one.source}`);
        button.addEventListener("click", guarded(() => remove(one.id)));
        about.append(button);
      }
      return row;
    });
    $("documents").replaceChildren(...rows);
    if (found.warnings.length) problem(new Error(found.warnings.slice(0, 5).join(" ")));
  }

  // One upload at a time: the first makes the index that the others go into.
  async function add(files) {
    if (!files.length) return;
    const before = adding;
    const mine = (adding = (async () => {
      await before.catch(() => {}); // told by whoever began it
      await upload(files);
    })());
    try {
      await mine;
    } finally {
      if (adding === mine) adding = Promise.resolve();
    }
  }

  async function upload(files) {
    problem(null);
    $("status").textContent = `Reading ${counted(files.length, "file")}`;
    const form = new FormData();
    for (const file of files) form.append("files", file, file.name);
    const fresh = !own;
    if (fresh) {
      own = OWN + Array.from(crypto.getRandomValues(new Uint8Array(6)), (n) => n.toString(16)).join("");
      form.append("name", own);
    }
    try {
      await json(fresh ? "/v1/indexes" : `/v1/indexes/${own}/documents`, { method: "POST", body: form });
    } catch (error) {
      if (fresh) own = "";
      $("status").textContent = "Nothing was added.";
      throw error;
    }
    stored("index", own);
    $("index").value = OWN;
    $("status").textContent = `${counted(files.length, "file")} added.`;
    await show();
    again();
  }

  async function remove(id) {
    await json(`/v1/indexes/${own}/documents/${encodeURIComponent(id)}`, { method: "DELETE" });
    await show();
    $("files").focus();
    again();
  }

  // --- an answer -------------------------------------------------------------------------------

  async function check() {
    if (running) running.abort();
    const stop = (running = new AbortController());
    clear();
    $("stop").hidden = false;
    try {
      await adding; // what was chosen just before is what to check against
      $("status").textContent = "Checking";
      for await (const event of events((await asked(stop.signal)).body)) tell(event);
    } catch (error) {
      if (running === stop) $("status").textContent = error.name === "AbortError" ? "Stopped." : "Not checked.";
      throw error;
    } finally {
      if (running === stop) {
        running = null;
        $("stop").hidden = true;
      }
    }
  }

  function asked(signal) {
    const include = ["citations", "html", ...($("policy").value ? ["gate"] : [])];
    const index = chosen() ? { index: chosen() } : { documents: [] };
    const policy = $("policy").value ? { policy: $("policy").value } : {};
    const question = $("question").value.trim() ? { question: $("question").value } : {};
    stored("answer", $("answer").value);
    stored("question", $("question").value);
    return ask("/v1/check/stream", {
      method: "POST",
      signal,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ answer: $("answer").value, include, ...question, ...index, ...policy }),
    });
  }

  async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let left = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (left + value).split("\n\n");
      left = parts.pop();
      for (const part of parts) {
        const data = part.split("\n").find((line) => line.startsWith("data: "));
        if (data) yield JSON.parse(data.slice(6));
      }
    }
  }

  function tell(event) {
    if (event.type === "claim") {
      const card = made(event.html);
      // The answer and the documents they lead to are on the report, not here.
      for (const link of card.querySelectorAll("a")) link.replaceWith(...link.childNodes);
      $("cards").append(card);
    } else if (event.type === "progress") {
      $("status").textContent = `${counted(event.claims_checked, "claim")} checked`;
    } else if (event.type === "report") {
      html = event.report.html;
      $("status").textContent = summary(event.report);
      $("open").hidden = false;
    } else if (event.type === "error") {
      $("status").textContent = "Not checked to the end.";
      problem(new Error(event.error));
    }
  }

  // Of HTML that the server's renderer made; a script in it would not run.
  function made(text) {
    const template = document.createElement("template");
    template.innerHTML = text;
    return template.content;
  }

  const STATES = {
    no_claims: "Not assessed: the answer asserts nothing checkable.",
    refusal: "Not assessed: the answer declines to answer.",
    no_sources: "Not assessed: there are no documents to check against.",
    empty: "Not assessed: the answer is empty.",
  };

  function summary(report) {
    if (STATES[report.state]) return STATES[report.state];
    const words = { CONTRADICTION: "contradicted", HALLUCINATION: "not found", WEAK_SUPPORT: "weak support", SUPPORTED: "supported" };
    const parts = Object.keys(words).filter((key) => report.counts[key]);
    return parts.map((key) => `${report.counts[key]} ${words[key]}`).join(", ");
  }

  function clear() {
    problem(null);
    html = "";
    $("open").hidden = true;
    $("cards").replaceChildren();
  }

  // The report in the place of the page; the way back is a fresh page, so that no label stays.
  function open() {
    document.body.className = "";
    document.body.replaceChildren(made(html));
    const back = document.createElement("a");
    back.className = "button";
    back.href = "/";
    back.textContent = "Check another answer";
    document.querySelector(".tools").prepend(back);
    const script = document.createElement("script");
    script.src = "/page/report.js";
    document.body.append(script);
    document.querySelector("h1").tabIndex = -1;
    document.querySelector("h1").focus();
  }

  // --- what the user does ----------------------------------------------------------------------

  // With the box ticked what is there is checked once it has rested for a moment.
  function again() {
    clearTimeout(timer);
    if ($("live").checked && $("answer").value.trim()) timer = setTimeout(guarded(check), PAUSE_MS);
  }

  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(check)();
  });
  $("answer").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) guarded(check)();
  });
  $("answer").addEventListener("input", again);
  $("question").addEventListener("input", again);
  $("live").addEventListener("change", again);
  $("stop").addEventListener("click", () => running && running.abort());
  $("open").addEventListener("click", open);
  $("files").addEventListener("change", guarded(async () => {
    await add(Array.from($("files").files));
    $("files").value = "";
  }));
  $("add").addEventListener("click", guarded(async () => {
    const text = $("pasted").value;
    if (!text.trim()) return;
    const count = $("documents").children.length + 1;
    await add([new File([text], `pasted ${count}.txt`, { type: "text/plain" })]);
    $("pasted").value = "";
  }));
  $("index").addEventListener("change", guarded(async () => {
    stored("chosen", $("index").value);
    await show();
    again();
  }));
  $("policy").addEventListener("change", () => {
    stored("policy", $("policy").value);
    again();
  });
  $("token").addEventListener("change", guarded(async () => {
    stored("token", $("token").value);
    await begin();
  }));
  for (const name of ["dragenter", "dragover"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      $("drop")?.classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) $("drop")?.classList.remove("over");
  });
  document.addEventListener("drop", guarded(async (event) => {
    event.preventDefault();
    $("drop")?.classList.remove("over");
    if ($("drop")) await add(Array.from(event.dataTransfer.files));
  }));

  $("token").value = stored("token");
  $("token-row").hidden = !$("token").value;
  $("answer").value = stored("answer");
  $("question").value = stored("question");
  guarded(begin)();
})();
