// The dashboard: asks for the figures, which the server has drawn, and puts them in.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  try {
    $("token").value = sessionStorage.getItem("halgo-token") || "";
  } catch {
    // Then it is asked for.
  }

  async function show() {
    $("problem").hidden = true;
    const asked = new URLSearchParams();
    for (const name of ["since", "until"]) if ($(name).value) asked.set(name, $(name).value);
    const headers = $("token").value ? { Authorization: `Bearer ${$("token").value}` } : {};
    const answer = await fetch(`/dashboard/figures?${asked}`, { headers });
    if (!answer.ok) {
      if (answer.status === 401) $("token-row").hidden = false;
      const said = await answer.json().catch(() => ({ error: `status ${answer.status}` }));
      throw new Error(said.error);
    }
    const figures = document.createElement("template");
    figures.innerHTML = await answer.text();
    $("figures").replaceChildren(figures.content);
    $("status").textContent = "Over the audit log of this server; days in UTC.";
  }

  function start(event) {
    event?.preventDefault();
    show().catch((error) => {
      $("status").textContent = "";
      $("figures").replaceChildren();
      $("problem").textContent = error.message;
      $("problem").hidden = false;
    });
  }

  $("form").addEventListener("submit", start);
  start();
})();
