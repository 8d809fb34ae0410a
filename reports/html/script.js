"use strict";
// The page is whole without this script: it adds filters, keys, exchanges shown in place and deep links that open what they name.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const byId = (id) => document.getElementById(id);
  const rows = all(".row");
  const cells = new Map(all(".cell").map((cell) => [cell.dataset.for, cell]));
  const outcomes = all("#filter [data-outcome]");
  const level = byId("level"), clause = byId("clause"), text = byId("text"), shown = byId("shown");
  const words = new Map();

  const wordsOf = (row) => {
    if (!words.has(row)) words.set(row, row.textContent.toLowerCase());
    return words.get(row);
  };

  function filter() {
    const wanted = new Set(outcomes.filter((b) => b.getAttribute("aria-pressed") === "true").map((b) => b.dataset.outcome));
    const terms = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const fits = wanted.has(row.dataset.outcome)
        && (!level.value || row.dataset.level === level.value)
        && (!clause.value || row.parentElement.id === "clause-" + clause.value)
        && terms.every((term) => wordsOf(row).includes(term));
      row.hidden = !fits;
      cells.get(row.id)?.classList.toggle("away", !fits);
      if (fits) count++;
    }
    for (const section of all(".clause")) section.hidden = !section.querySelector(".row:not([hidden])");
    shown.textContent = count === rows.length ? `${count} requirements` : `${count} of ${rows.length} requirements`;
  }

  // A filter that a person changes shows its result from the top.
  function change() {
    filter();
    const requirements = byId("requirements");
    if (requirements.getBoundingClientRect().top < 0) requirements.scrollIntoView();
  }

  function reset() {
    for (const b of outcomes) b.setAttribute("aria-pressed", "true");
    level.value = clause.value = text.value = "";
    filter();
  }

  // The first click on an outcome shows only that one; further clicks add to it and take from it.
  function toggle(button) {
    const pressed = outcomes.filter((b) => b.getAttribute("aria-pressed") === "true");
    if (pressed.length === outcomes.length) {
      for (const b of outcomes) b.setAttribute("aria-pressed", String(b === button));
    } else {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    }
    if (!outcomes.some((b) => b.getAttribute("aria-pressed") === "true")) reset();
    change();
  }

  // A link to a part that is closed or filtered away opens and shows it.
  function reveal() {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { return; }
    const target = id && byId(id);
    if (!target) return;
    if (target.closest(".row[hidden], .clause[hidden]")) reset();
    for (let e = target; e; e = e.parentElement) if (e.localName === "details") e.open = true;
    target.scrollIntoView();
    (target.querySelector("summary") || target).focus({ preventScroll: true });
  }

  // An exchange is shown below the case that names it: a copy, so that every id stays unique.
  function showInPlace(event) {
    const link = event.target.closest(".to-exchange");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const exchange = byId(decodeURIComponent(link.hash.slice(1)));
    const place = link.closest("dd, p, li > div");
    if (!exchange || !place) return;
    event.preventDefault();
    const there = all(":scope > .inline", place).find((box) => box.dataset.of === exchange.id);
    link.setAttribute("aria-expanded", String(!there));
    if (there) return there.remove();
    const box = document.createElement("div");
    box.className = "inline";
    box.dataset.of = exchange.id;
    box.append(...Array.from(exchange.querySelector(".inside").cloneNode(true).childNodes));
    place.append(box);
  }

  function step(direction, fits) {
    const visible = rows.filter((row) => !row.hidden && fits(row));
    if (!visible.length) return;
    const at = visible.indexOf(document.activeElement?.closest(".row"));
    const middle = visible.findIndex((row) => row.getBoundingClientRect().top > 150);
    const next = at >= 0 ? at + direction : direction > 0 ? middle : middle - 1;
    const row = visible[Math.min(Math.max(next, 0), visible.length - 1)];
    row.querySelector("summary").focus();
    row.scrollIntoView({ block: "nearest" });
  }

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (event.key === "Escape") { document.activeElement.blur(); return reset(); }
    if (/^(input|select|textarea)$/.test(event.target.localName)) return;
    const keys = {
      "/": () => text.focus(),
      "j": () => step(1, () => true),
      "k": () => step(-1, () => true),
      "f": () => step(1, (row) => row.dataset.outcome === "failed"),
      "e": () => {
        const visible = rows.filter((row) => !row.hidden);
        const open = visible.some((row) => !row.open);
        for (const row of visible) row.open = open;
      },
      "?": () => byId("help").showModal(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  for (const b of outcomes) b.addEventListener("click", () => toggle(b));
  for (const field of [level, clause]) field.addEventListener("change", change);
  text.addEventListener("input", change);
  byId("filter").addEventListener("submit", (event) => event.preventDefault());
  byId("filter").addEventListener("reset", (event) => { event.preventDefault(); reset(); });
  byId("keys").addEventListener("click", () => byId("help").showModal());
  byId("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  document.addEventListener("click", showInPlace);
  document.addEventListener("keydown", key);
  addEventListener("hashchange", reveal);
  filter();
  reveal();
})();
