"use strict";
(() => {
  const el = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) node.setAttribute(name, "");
      else if (value !== false && value != null) node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  };

  // Theme: the reader's own, until the button says otherwise.
  const root = document.documentElement;
  const stored = () => { try { return localStorage.getItem("epicene-theme"); } catch { return null; } };
  const keep = (theme) => { try { localStorage.setItem("epicene-theme", theme); } catch { /* not kept */ } };
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const before = stored();
  if (before === "dark" || before === "light") root.dataset.theme = before;
  const toggle = el("button", { type: "button", id: "theme" });
  const label = () => {
    toggle.textContent = dark() ? "Light" : "Dark";
    toggle.setAttribute("aria-label", `Switch to ${dark() ? "light" : "dark"} colours`);
  };
  toggle.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    keep(root.dataset.theme);
    label();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
  label();
  document.querySelector("nav .wrap").append(toggle);

  // Tables as tab-separated text.
  const copyText = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = el("textarea", { "aria-hidden": "true" });
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };
  const asText = (table) => [...table.rows]
    .map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\s+/g, " ").trim()).join("\t"))
    .join("\n") + "\n";
  const copyButton = (name, text) => {
    const button = el("button", { type: "button", class: "copy", "aria-label": `Copy: ${name}` }, "Copy");
    button.addEventListener("click", async () => {
      button.textContent = (await copyText(text())) ? "Copied" : "Select and copy";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    return button;
  };
  for (const region of document.querySelectorAll(".table > .scroll")) {
    const table = region.querySelector("table");
    region.before(copyButton(region.getAttribute("aria-label"), () => asText(table)));
  }
  for (const signature of document.querySelectorAll("pre.signature")) {
    signature.after(copyButton("signature", () => signature.textContent));
  }

  // On paper nothing stays folded.
  addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details:not([open])")) {
      fold.dataset.folded = "";
      fold.open = true;
    }
  });
  addEventListener("afterprint", () => {
    for (const fold of document.querySelectorAll("details[data-folded]")) {
      fold.open = false;
      delete fold.dataset.folded;
    }
  });

  // Items.
  const WORDS = { m: "masculine", f: "feminine", n: "neutral", u: "unknown", ".": "no answer" };
  const ROW = 58;
  const live = document.getElementById("items-live");
  if (!live) return;

  const unpack = async (packed) => {
    const binary = atob(packed);
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Table(await new Response(stream).json());
  };

  class Table {
    constructor(data) {
      this.data = data;
      this.width = data.columns.length;
      this.count = data.ids.length;
      this.numberPlace = new Map(data.number_columns.map((column, place) => [column, place]));
      this.textPlace = new Map();
      for (const unit of data.answers) {
        unit.columns.forEach((column, place) => this.textPlace.set(column, { unit, place }));
      }
      this.systems = [...new Set(data.columns.map(([system]) => system))];
      this.units = [...new Set(data.columns.map(([, unit]) => unit))];
      this.lower = data.texts.map((text) => text.toLowerCase());
    }
    verdict(item, column) { return this.data.verdicts[item * this.width + column]; }
    coded(coded, item, column) {
      return coded.codes.length ? coded.values[coded.codes[item * this.width + column]] : "";
    }
    words(item, column) { return this.coded(this.data.words, item, column); }
    outcome(item, column) { return this.coded(this.data.outcomes, item, column); }
    rule(item, column) { return this.coded(this.data.rules, item, column); }
    number(item, column) {
      const place = this.numberPlace.get(column);
      if (place === undefined) return null;
      const value = this.data.numbers[item * this.data.number_columns.length + place];
      return value === null ? null : value / this.data.scale;
    }
    // A translation with its marks; undefined where it was left out.
    text(item, column) {
      const found = this.textPlace.get(column);
      if (!found) return null;
      if (item % this.data.text_every) return undefined;
      return found.unit.texts[(item / this.data.text_every) * found.unit.columns.length + found.place];
    }
    label(coded, item) { return coded.values[coded.codes[item]] ?? ""; }
  }

  // Text with its evidence as elements; nothing is ever parsed as HTML.
  const marked = (text) => {
    const parts = [];
    for (const piece of text.split("\u0001")) {
      const [word, rest] = piece.includes("\u0002") ? piece.split("\u0002") : [null, piece];
      if (word !== null) parts.push(el("mark", {}, word));
      parts.push(rest);
    }
    return parts;
  };
  const plain = (text) => text.replace(/[\u0001\u0002]/g, "");
  const verdictChip = (table, item, column) => {
    const letter = table.verdict(item, column);
    const outcome = table.outcome(item, column);
    const words = table.words(item, column) || (WORDS[letter] ?? letter);
    return el("span", { class: `verdict ${letter}` }, outcome ? `${words}, ${outcome}` : words);
  };

  const options = (select, values, all) => {
    select.replaceChildren();
    if (all) select.append(el("option", { value: "" }, all));
    for (const [value, name] of values) select.append(el("option", { value }, name));
  };

  const start = (tables) => {
    const field = (name, control) => el("label", {}, name, control);
    const run = el("select", { id: "item-run" });
    const search = el("input", { id: "item-search", type: "search", placeholder: "sentence or answer" });
    const system = el("select", { id: "item-system" });
    const unit = el("select", { id: "item-unit" });
    const verdict = el("select", { id: "item-verdict" });
    const outcome = el("select", { id: "item-outcome" });
    const extra = el("span", { class: "labels" });
    const differ = el("input", { id: "item-differ", type: "checkbox" });
    const count = el("p", { class: "count", id: "item-count", role: "status", "aria-live": "polite" });
    const rows = el("div", { class: "rows" });
    const list = el("div", { class: "list", id: "item-list", role: "listbox", tabindex: "0", "aria-label": "Items" }, rows);
    const detail = el("div", { class: "detail", id: "item-detail", tabindex: "0", role: "region", "aria-label": "The selected item" });
    const runField = field("run", run);
    const outcomeField = field("outcome", outcome);
    const differField = el("label", { class: "check" }, differ, "answers differ");
    live.append(
      el("div", { class: "controls" }, runField, field("search", search), field("system", system), field("unit", unit),
        field("verdict", verdict), outcomeField, extra, differField),
      count,
      el("div", { class: "browser" }, list, detail),
    );
    options(run, tables.map((table, index) => [String(index), `${table.data.run} (${table.data.benchmark})`]));
    runField.hidden = tables.length < 2;

    let table, shown = [], selected = 0, labelFilters = [];

    const columns = () => {
      const chosen = [];
      table.data.columns.forEach(([name, part], index) => {
        if ((!system.value || name === system.value) && (!unit.value || part === unit.value)) chosen.push(index);
      });
      return chosen;
    };

    const choose = () => {
      table = tables[Number(run.value) || 0];
      options(system, table.systems.map((name) => [name, name]), "all");
      options(unit, table.units.map((name) => [name, name.replace(":", " ")]), "all");
      const letters = [...new Set(table.data.verdicts)].sort();
      options(verdict, letters.map((letter) => [letter, WORDS[letter] ?? letter]), "any");
      const outcomes = table.data.outcomes.codes.length ? table.data.outcomes.values.filter(Boolean) : [];
      options(outcome, outcomes.map((name) => [name, name]), "any");
      outcomeField.hidden = !outcomes.length;
      differField.hidden = table.width < 2;
      extra.replaceChildren();
      labelFilters = [];
      for (const coded of table.data.labels) {
        const values = coded.values.filter(Boolean);
        if (values.length < 2 || values.length > 120) continue;
        const select = el("select", { id: `item-label-${coded.name}` });
        const sorted = [...values].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
        options(select, sorted.map((value) => [value, value]), "any");
        select.addEventListener("change", filter);
        extra.append(field(coded.name, select));
        labelFilters.push([coded, select]);
      }
      if (table.systems.length > 1) system.value = table.systems[0];
      if (table.units.length > 1) unit.value = table.units.find((part) => columnsOf(system.value, part)) ?? "";
      filter();
    };
    const columnsOf = (name, part) =>
      table.data.columns.some(([other, unitName]) => (!name || other === name) && unitName === part);

    const filter = () => {
      const chosen = columns();
      const words = search.value.trim().toLowerCase();
      const wanted = verdict.value, result = outcome.value;
      shown = [];
      for (let item = 0; item < table.count; item++) {
        if (!labelFilters.every(([coded, select]) => !select.value || table.label(coded, item) === select.value)) continue;
        const fits = (column) => (!wanted || table.verdict(item, column) === wanted)
          && (!result || table.outcome(item, column) === result);
        if ((wanted || result) && !chosen.some(fits)) continue;
        if (differ.checked) {
          const every = unit.value ? table.data.columns.flatMap(([, part], index) => part === unit.value ? [index] : []) : chosen;
          if (new Set(every.map((column) => table.verdict(item, column))).size < 2) continue;
        }
        if (words && !table.lower[item].includes(words) && !table.data.ids[item].toLowerCase().includes(words)
          && !chosen.some((column) => plain(table.text(item, column) || "").toLowerCase().includes(words))) continue;
        shown.push(item);
      }
      const thinned = table.count < table.data.total ? ` (every ${table.data.every}th of ${table.data.total})` : "";
      const texts = table.data.text_every > 1
        ? ` Translations of every ${table.data.text_every}th item are in this file; epicene items has all.` : "";
      count.textContent = `${shown.length} of ${table.count} items${thinned}.${texts}`;
      rows.style.height = `${shown.length * ROW}px`;
      list.scrollTop = 0;
      selected = 0;
      draw();
      open();
    };

    const summary = (item) => {
      const chosen = columns();
      if (chosen.length === 1) {
        const [column] = chosen;
        const text = table.text(item, column);
        const number = table.number(item, column);
        const parts = [verdictChip(table, item, column), " "];
        if (text) parts.push(...marked(text));
        else if (number !== null) parts.push((number > 0 ? "+" : "") + number.toFixed(2));
        return parts;
      }
      const counts = new Map();
      for (const column of chosen) {
        const letter = table.verdict(item, column);
        counts.set(letter, (counts.get(letter) || 0) + 1);
      }
      return [[...counts].sort().map(([letter, times]) => `${WORDS[letter] ?? letter} ${times}`).join(" · ")];
    };

    // Only the rows in sight are in the document.
    const draw = () => {
      const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
      const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 5);
      const made = [];
      for (let place = first; place < last; place++) {
        const item = shown[place];
        const row = el("div", {
          class: "item", role: "option", id: `item-row-${place}`, "aria-selected": String(place === selected),
          "aria-posinset": place + 1, "aria-setsize": shown.length,
        }, el("div", { class: "first" }, table.data.texts[item]), el("div", { class: "second" }, ...summary(item)));
        row.style.top = `${place * ROW}px`;
        row.addEventListener("click", () => pick(place));
        made.push(row);
      }
      rows.replaceChildren(...made);
      if (shown.length) list.setAttribute("aria-activedescendant", `item-row-${selected}`);
      else list.removeAttribute("aria-activedescendant");
    };

    const pick = (place) => {
      selected = Math.max(0, Math.min(shown.length - 1, place));
      const top = selected * ROW;
      if (top < list.scrollTop) list.scrollTop = top;
      if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
      draw();
      open();
    };

    const open = () => {
      detail.replaceChildren();
      if (!shown.length) {
        detail.append(el("p", {}, "No item fits."));
        return;
      }
      const item = shown[selected];
      const labels = table.data.labels.map((coded) => [coded.name, table.label(coded, item)]).filter(([, value]) => value);
      detail.append(
        el("h3", {}, table.data.texts[item]),
        el("p", { class: "labels" }, [table.data.ids[item], ...labels.map(([name, value]) => `${name} ${value}`)].join(" · ")),
      );
      const body = el("tbody");
      // The chosen columns first, then what everybody else said.
      const chosen = new Set(columns());
      const order = [...chosen, ...table.data.columns.map((_, index) => index).filter((index) => !chosen.has(index))];
      for (const column of order) {
        const [name, part] = table.data.columns[column];
        const text = table.text(item, column);
        const number = table.number(item, column);
        const said = el("td");
        if (text) said.append(...marked(text));
        else if (text === undefined) said.append("(left out)");
        else if (number !== null) said.append((number > 0 ? "+" : "") + number.toFixed(2));
        const decided = el("td", {}, verdictChip(table, item, column));
        const rule = table.rule(item, column);
        if (rule) decided.append(el("br"), el("small", {}, rule));
        body.append(el("tr", {}, el("th", { scope: "row" }, name, el("br"), part.replace(":", " ")), said, decided));
      }
      detail.append(el("table", {}, el("thead", {}, el("tr", {},
        ...["system", "answer", "verdict"].map((name) => el("th", { scope: "col" }, name)))), body));
      detail.scrollTop = 0;
    };

    list.addEventListener("scroll", () => requestAnimationFrame(draw));
    list.addEventListener("keydown", (event) => {
      const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
      const moves = { ArrowDown: selected + 1, ArrowUp: selected - 1, PageDown: selected + page, PageUp: selected - page, Home: 0, End: shown.length - 1 };
      if (event.key in moves) {
        event.preventDefault();
        pick(moves[event.key]);
      } else if (event.key === "Enter") detail.focus();
    });
    let waiting;
    search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); });
    for (const control of [system, unit, verdict, outcome, differ]) control.addEventListener("change", filter);
    run.addEventListener("change", choose);
    choose();
  };

  const packed = [...document.querySelectorAll("script.packed-items")].map((node) => node.textContent);
  if (packed.length && "DecompressionStream" in window) {
    Promise.all(packed.map(unpack)).then((tables) => {
      live.hidden = false;
      document.getElementById("items-static").hidden = true;
      start(tables);
      root.dataset.items = "ready";
    }).catch((error) => {
      console.error(error);
      live.hidden = true;
    });
  }
})();
