// The item browser: filters, a list of which only what is in sight is in the document, and one item with every answer.
const ROW = 58;
const PAGE = 60;

const marked = (text) => {
  const parts = [];
  for (const piece of text.split("\u0001")) {
    const [word, rest] = piece.includes("\u0002") ? piece.split("\u0002") : [null, piece];
    if (word !== null) parts.push(el("mark", {}, word));
    parts.push(rest);
  }
  return parts;
};
const verdictChip = ({ letter, words, outcome }) => {
  const said = words || (WORDS[letter] ?? letter);
  return el("span", { class: `verdict ${letter}` }, outcome ? `${said}, ${outcome}` : said);
};
const said = ({ text, number }) => {
  if (text) return marked(text);
  if (text === undefined) return ["(left out)"];
  return number === null || number === undefined ? [] : [(number > 0 ? "+" : "") + number.toFixed(2)];
};

// Shows the sources below `live`; returns what a fragment and a mark need to steer it.
const startBrowser = (live, sources, changed) => {
  const field = (name, control) => el("label", {}, name, control);
  const options = (select, values, all) => {
    select.replaceChildren();
    if (all) select.append(el("option", { value: "" }, all));
    for (const [value, name] of values) select.append(el("option", { value }, name));
  };
  const run = el("select", { id: "item-run" });
  const search = el("input", { id: "item-search", type: "search", placeholder: "sentence or answer" });
  const system = el("select", { id: "item-system" });
  const versus = el("select", { id: "item-versus" });
  const unit = el("select", { id: "item-unit" });
  const verdict = el("select", { id: "item-verdict" });
  const outcome = el("select", { id: "item-outcome" });
  const extra = el("span", { class: "labels" });
  const differ = el("input", { id: "item-differ", type: "checkbox" });
  const clear = el("button", { type: "button", id: "item-clear" }, "Clear");
  const count = el("p", { class: "count", id: "item-count", role: "status", "aria-live": "polite" });
  const rows = el("div", { class: "rows" });
  const list = el("div", { class: "list", id: "item-list", role: "listbox", tabindex: "0", "aria-label": "Items" }, rows);
  const detail = el("div", { class: "detail", id: "item-detail", tabindex: "0", role: "region", "aria-label": "The selected item" });
  const [runField, versusField, outcomeField] = [field("run", run), field("beside", versus), field("outcome", outcome)];
  const differField = el("label", { class: "check" }, differ, "answers differ");
  live.append(
    el("div", { class: "controls" }, runField, field("search", search), field("system", system), versusField,
      field("unit", unit), field("verdict", verdict), outcomeField, extra, differField, clear),
    count,
    el("div", { class: "browser" }, list, detail),
  );
  options(run, sources.map((source, index) => [String(index), `${source.run} (${source.benchmark})`]));
  runField.hidden = sources.length < 2;

  let source, result = { count: 0 }, pages = new Map(), selected = 0, labelFilters = [], asked = 0, because = "";

  const query = () => ({
    system: system.value, versus: system.value ? versus.value : "", unit: unit.value, verdict: verdict.value,
    outcome: outcome.value, differ: differ.checked, words: search.value.trim().toLowerCase(),
    labels: Object.fromEntries(labelFilters.filter(([, select]) => select.value).map(([name, select]) => [name, select.value])),
  });

  const open = () => {
    source = sources[Number(run.value) || 0];
    const systems = [...new Set(source.columns.map(([name]) => name))];
    const units = [...new Set(source.columns.map(([, name]) => name))];
    options(system, systems.map((name) => [name, name]), "all");
    options(versus, systems.map((name) => [name, name]), "–");
    options(unit, units.map((name) => [name, name.replace(":", " ")]), "all");
    const letters = (source.letters ?? []).map((letter) => [letter, WORDS[letter] ?? letter]);
    if (source.letters?.includes("m") && source.letters.includes("f")) letters.push(["mf", WORDS.mf]);
    options(verdict, letters, "any");
    options(outcome, (source.outcomes ?? []).map((name) => [name, name]), "any");
    outcomeField.hidden = !source.outcomes?.length;
    versusField.hidden = systems.length < 2;
    differField.hidden = source.columns.length < 2;
    extra.replaceChildren();
    labelFilters = [];
    for (const { name, values } of source.labels) {
      // A label with one value is worth a filter where some items lack it.
      if (!values.length || values.length > 400) continue;
      const select = el("select", { id: `item-label-${name}` });
      const sorted = [...values].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
      options(select, sorted.map((value) => [value, value]), "any");
      select.addEventListener("change", () => filter());
      extra.append(field(name, select));
      labelFilters.push([name, select]);
    }
  };

  // The first system in its first unit: one answer a line reads best.
  const begin = () => {
    const systems = [...new Set(source.columns.map(([name]) => name))];
    const units = [...new Set(source.columns.map(([, name]) => name))];
    if (systems.length > 1) system.value = systems[0];
    if (units.length > 1) unit.value = units.find((name) => source.columns.some(([other, part]) =>
      (!system.value || other === system.value) && part === name)) ?? "";
  };

  const say = () => {
    const because_ = because ? ` ${because}` : "";
    const note = source.note ? ` ${source.note}` : "";
    count.textContent = `${result.count} of ${result.of} items.${because_}${note}`;
  };

  const filter = async (keep = {}) => {
    const turn = ++asked;
    because = keep.because ?? "";
    live.setAttribute("aria-busy", "true");
    let found;
    try {
      found = await source.find(query());
    } catch (error) {
      count.textContent = String(error.message ?? error);
      return;
    }
    if (turn !== asked) return;
    result = found;
    pages = new Map();
    say();
    rows.style.height = `${result.count * ROW}px`;
    list.scrollTop = 0;
    selected = 0;
    changed(state());
    await draw();
    await show();
    live.removeAttribute("aria-busy");
  };

  const page = async (number) => {
    if (!pages.has(number)) {
      const from = number * PAGE;
      pages.set(number, source.rows(result, from, Math.min(result.count, from + PAGE)));
    }
    return pages.get(number);
  };
  const itemAt = async (place) => (await page(Math.floor(place / PAGE)))[place % PAGE];

  const summary = (item) => {
    const chosen = chosenColumns(source, query());
    if (chosen.length === 1) {
      const cell = item.cell(chosen[0]);
      return [verdictChip(cell), " ", ...(cell.text === undefined ? [] : said(cell))];
    }
    const counts = new Map();
    for (const column of chosen) {
      const { letter } = item.cell(column);
      counts.set(letter, (counts.get(letter) || 0) + 1);
    }
    return [[...counts].sort().map(([letter, times]) => `${WORDS[letter] ?? letter} ${times}`).join(" · ")];
  };

  const draw = async () => {
    const turn = asked;
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
    const last = Math.min(result.count, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 5);
    const made = [];
    for (let place = first; place < last; place++) {
      const item = await itemAt(place);
      if (turn !== asked || !item) return;
      const row = el("div", {
        class: "item", role: "option", id: `item-row-${place}`, "aria-selected": String(place === selected),
        "aria-posinset": place + 1, "aria-setsize": result.count,
      }, el("div", { class: "first" }, item.text), el("div", { class: "second" }, ...summary(item)));
      row.style.top = `${place * ROW}px`;
      row.addEventListener("click", () => pick(place));
      made.push(row);
    }
    rows.replaceChildren(...made);
    if (result.count) list.setAttribute("aria-activedescendant", `item-row-${selected}`);
    else list.removeAttribute("aria-activedescendant");
  };

  const pick = async (place) => {
    selected = Math.max(0, Math.min(result.count - 1, place));
    const top = selected * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    await draw();
    await show();
  };

  const show = async () => {
    if (!result.count) {
      detail.replaceChildren(el("p", {}, "No item fits."));
      return;
    }
    const turn = asked, place = selected;
    const item = await itemAt(place);
    if (turn !== asked || place !== selected || !item) return;
    const answers = (columns) => el("table", {}, el("thead", {}, el("tr", {},
      ...["system", "answer", "verdict"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, ...columns.map((column) => {
        const [name, part] = source.columns[column];
        const cell = item.cell(column);
        const decided = el("td", {}, verdictChip(cell));
        if (cell.rule) decided.append(el("br"), el("small", {}, cell.rule));
        return el("tr", {}, el("th", { scope: "row" }, name, el("br"), part.replace(":", " ")),
          el("td", {}, ...said(cell)), decided);
      })));
    // The chosen columns first, then what everybody else said: all of it, but hundreds wait until they are asked for.
    const chosen = chosenColumns(source, query());
    const others = source.columns.map((_, index) => index).filter((index) => !chosen.includes(index));
    const fold = others.length > 40;
    const rest = fold ? el("details", { class: "more" }, el("summary", {}, `What the other ${others.length} answered`)) : "";
    if (fold) rest.addEventListener("toggle", () => { if (rest.open && !rest.querySelector("table")) rest.append(answers(others)); });
    detail.replaceChildren(
      el("h3", {}, item.text),
      el("p", { class: "labels" }, [item.id, ...item.labels.map(([name, value]) => `${name} ${value}`)].join(" · ")),
      answers(fold ? chosen : [...chosen, ...others]), rest,
    );
    detail.scrollTop = 0;
  };

  const state = () => {
    const { labels, ...others } = query();
    const kept = {};
    if (sources.length > 1) kept.run = run.value;
    for (const [name, value] of Object.entries(others)) if (value) kept[name] = value === true ? "1" : value;
    for (const [name, value] of Object.entries(labels)) kept[`label.${name}`] = value;
    return kept;
  };

  // Sets every filter from a plain object as `state` gives it. What the run does not have is left out and said.
  const steer = async (wanted, keep = {}) => {
    run.value = wanted.run && sources[Number(wanted.run)] ? wanted.run : "0";
    open();
    const unknown = [];
    const set = (select, value, name) => {
      select.value = value ?? "";
      if (value && select.value !== value) {
        select.value = "";
        unknown.push(`${name} ${value}`);
      }
    };
    set(system, wanted.system, "system");
    set(versus, wanted.versus, "system");
    set(unit, wanted.unit, "unit");
    set(verdict, wanted.verdict, "verdict");
    set(outcome, wanted.outcome, "outcome");
    differ.checked = wanted.differ === "1";
    search.value = wanted.words ?? "";
    for (const [name, select] of labelFilters) set(select, wanted[`label.${name}`], name);
    const missing = unknown.length ? `Not in this run: ${unknown.join(", ")}.` : "";
    await filter({ because: [keep.because ?? "", missing].filter(Boolean).join(" ") });
    return result.count;
  };

  list.addEventListener("scroll", () => requestAnimationFrame(draw));
  list.addEventListener("keydown", (event) => {
    const step = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
    const moves = { ArrowDown: selected + 1, ArrowUp: selected - 1, PageDown: selected + step, PageUp: selected - step, Home: 0, End: result.count - 1 };
    if (event.key in moves) {
      event.preventDefault();
      pick(moves[event.key]);
    } else if (event.key === "Enter") detail.focus();
  });
  let waiting;
  search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); });
  for (const control of [system, versus, unit, verdict, outcome, differ]) control.addEventListener("change", () => filter());
  run.addEventListener("change", () => { open(); begin(); filter(); });
  clear.addEventListener("click", () => { open(); filter(); });

  return {
    sources, steer, list,
    start: async () => { open(); if (source.ready !== false) begin(); await filter(); },
    refresh: () => steer(state()),
    count: async (place, wanted) => (await sources[place].find(wanted)).count,
  };
};
