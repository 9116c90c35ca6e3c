// From a number to its items: every mark, cell and card that shows a row opens the items the row is made of. The filters live
// in the address's fragment, so that a view can be kept, sent and gone back to.
const startDrill = (browser, index) => {
  const section = document.getElementById("items");
  const toFragment = (state) => {
    const query = new URLSearchParams(state).toString();
    return query ? `#items?${query}` : "#items";
  };
  const fromFragment = () => location.hash.startsWith("#items?")
    ? Object.fromEntries(new URLSearchParams(location.hash.slice(7))) : null;

  const rowAt = (place) => {
    const at = place * 6;
    const [part, system, unit, group, metric, n] = index.rows.slice(at, at + 6);
    return {
      part, n: n < 0 ? null : n, system: index.systems[system], unit: index.units[unit],
      group: index.groups[group], metric: index.metrics[metric],
    };
  };

  // The labels a group names: `occupation:nurse/FM`, `stereotype:7`, `no-adjective`.
  const labelsOf = (source, { part, group, metric }) => {
    const labels = {};
    let whole = true;
    const has = (name, value) => source.labels.some((label) => label.name === name && label.values.includes(value));
    const scope = index.parts[part].scopes[metric];
    if (scope && has(...scope)) labels[scope[0]] = scope[1];
    else if (scope) whole = false;
    for (const piece of group === "all" ? [] : group.split("/")) {
      const colon = piece.indexOf(":");
      const [kind, value] = colon < 0 ? [piece, "yes"] : [piece.slice(0, colon), piece.slice(colon + 1)];
      if (has(kind, value)) labels[kind] = value;
      else {
        const named = source.labels.find((label) => colon < 0 && label.values.includes(piece));
        if (named) labels[named.name] = piece;
        else whole = false;
      }
    }
    return { labels, whole };
  };

  const open = async (place) => {
    const row = rowAt(place);
    const systems = (source) => new Set(source.columns.map(([name]) => name));
    let at = row.part;
    const wanted = {};
    const pair = row.system.split(" - ");
    const known = systems(browser.sources[at]);
    if (known.has(row.system)) wanted.system = row.system;
    else if (pair.length === 2) {
      const found = browser.sources.findIndex((source) => pair.every((name) => systems(source).has(name)));
      if (found >= 0) [at, wanted.system, wanted.versus] = [found, pair[0], pair[1]];
    }
    const source = browser.sources[at];
    if (source.columns.some(([, unit]) => unit === row.unit)) wanted.unit = row.unit;
    const { labels, whole } = labelsOf(source, row);
    const query = { verdict: "", outcome: "", differ: false, words: "", system: "", versus: "", unit: "", ...wanted, labels };
    // A number rests on answers, or on those alone that show a gender: its n tells which.
    let exact = false;
    for (const verdict of ["", "mf"]) {
      if (row.n === null || exact || !whole) break;
      if (await browser.count(at, { ...query, verdict }) === row.n) {
        exact = true;
        if (verdict) wanted.verdict = verdict;
      }
    }
    const what = `${row.metric} of ${[row.system, row.unit, row.group].filter((name) => name !== "all").join(", ")}`;
    let because = `Behind ${what}`;
    if (row.n === null) because += ".";
    else if (exact) because += `: all ${row.n} of its items.`;
    else if (source.here < source.total) because += `, whose n is ${row.n}; this file has a part of the items.`;
    else because += `, whose n is ${row.n}: counted otherwise than these items are.`;
    const state = { ...wanted, row: String(place) };
    if (browser.sources.length > 1) state.run = String(at);
    for (const [name, value] of Object.entries(labels)) state[`label.${name}`] = value;
    history.pushState(null, "", toFragment(state));
    await browser.steer(state, { because });
    section.scrollIntoView();
    browser.list.focus({ preventScroll: true });
    root.dataset.drilled = String(place);
  };

  // Marks of a figure are one stop for the Tab key; arrows move between them.
  const ready = (node, says) => {
    node.setAttribute("role", "button");
    node.setAttribute("tabindex", "-1");
    if (says) node.setAttribute("aria-label", `${says}: open its items`);
    node.classList.add("drill");
  };
  const drillable = (node) => Number(node.dataset.row) * 6 < index.rows.length;
  for (const figure of document.querySelectorAll("svg")) {
    const marks = [...figure.querySelectorAll("[data-row]")].filter(drillable);
    if (!marks.length) continue;
    figure.setAttribute("role", "group");
    for (const mark of marks) ready(mark, mark.querySelector("title")?.textContent ?? "");
    marks[0].setAttribute("tabindex", "0");
    figure.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const at = marks.indexOf(event.target);
      if (!step || at < 0) return;
      event.preventDefault();
      const next = marks[Math.max(0, Math.min(marks.length - 1, at + step))];
      for (const mark of marks) mark.setAttribute("tabindex", mark === next ? "0" : "-1");
      next.focus();
    });
  }
  for (const table of document.querySelectorAll("main table")) {
    // A cell stays a cell: what opens its items is a button in it. A table is one stop for the Tab key too.
    const grid = [...table.rows].map((row) => [...row.cells].map((cell) => {
      if (cell.tagName !== "TD" || !cell.dataset.row || !drillable(cell)) return null;
      const button = el("button", { type: "button", class: "number", title: "Open its items", tabindex: "-1" }, ...cell.childNodes);
      button.dataset.open = cell.dataset.row;
      cell.append(button);
      return button;
    }));
    const all = grid.flat().filter(Boolean);
    if (!all.length) continue;
    all[0].setAttribute("tabindex", "0");
    table.addEventListener("keydown", (event) => {
      const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
      const cell = event.target.closest?.("td");
      if (!step || !cell || !event.target.matches(".number")) return;
      event.preventDefault();
      let [row, column] = [cell.parentElement.rowIndex, cell.cellIndex];
      for (;;) {
        row += step[0];
        column += step[1];
        const next = table.rows[row]?.cells[column];
        if (!next) return;
        const button = next.querySelector(".number");
        if (!button) continue;
        for (const other of all) other.setAttribute("tabindex", other === button ? "0" : "-1");
        button.focus();
        return;
      }
    });
  }
  for (const value of document.querySelectorAll(".card span[data-row]")) {
    const button = el("button", { type: "button", class: "number", title: "Open its items" }, ...value.childNodes);
    button.dataset.open = value.dataset.row;
    value.append(button);
  }
  const placeOf = (node) => {
    const found = node.closest?.(".number[data-open], .drill[data-row]");
    return found ? Number(found.dataset.open ?? found.dataset.row) : null;
  };
  document.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (place !== null) open(place);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    if (!event.target.matches?.(".drill[data-row]")) return;
    event.preventDefault();
    open(placeOf(event.target));
  });

  const follow = async () => {
    const state = fromFragment();
    if (!state) return false;
    await browser.steer(state);
    section.scrollIntoView();
    return true;
  };
  addEventListener("popstate", follow);
  return { follow, toFragment };
};
