// Where items come from: packed into the file, or page by page from the viewer's server. Both answer the same two questions:
// how many fit a query, and which are these from one place to another.
const WORDS = { m: "masculine", f: "feminine", mf: "a gender", n: "neutral", u: "unknown", ".": "no answer" };
const nth = (number) => {
  const endings = { one: "st", two: "nd", few: "rd", other: "th" };
  return number + endings[new Intl.PluralRules("en", { type: "ordinal" }).select(number)];
};
const plain = (text) => text.replace(/[\u0001\u0002]/g, "");

class Packed {
  constructor(data) {
    this.data = data;
    this.run = data.run;
    this.benchmark = data.benchmark;
    this.columns = data.columns;
    this.total = data.total;
    this.here = data.ids.length;
    this.letters = [...new Set(data.verdicts)].sort();
    this.outcomes = data.outcomes.codes.length ? data.outcomes.values.filter(Boolean) : [];
    this.labels = data.labels.map((coded) => ({ name: coded.name, values: coded.values.filter(Boolean) }));
    this.numberPlace = new Map(data.number_columns.map((column, place) => [column, place]));
    this.textPlace = new Map();
    for (const unit of data.answers) {
      unit.columns.forEach((column, place) => this.textPlace.set(column, { unit, place }));
    }
    this.lower = data.texts.map((text) => text.toLowerCase());
    const notes = [];
    if (this.here < this.total) notes.push(`Items shown: every ${nth(data.every)} of ${this.total.toLocaleString("en")}.`);
    if (data.text_every > 1) notes.push(`Answers are here for every ${nth(data.text_every)} of these items; verdicts for all.`);
    if (notes.length) notes.push("epicene view and epicene report --items have all.");
    this.note = notes.join(" ");
  }
  letter(item, column) { return this.data.verdicts[item * this.columns.length + column]; }
  coded(coded, item, column) {
    return coded.codes.length ? coded.values[coded.codes[item * this.columns.length + column]] : "";
  }
  text(item, column) {
    const found = this.textPlace.get(column);
    if (!found) return null;
    if (item % this.data.text_every) return undefined;
    return found.unit.texts[(item / this.data.text_every) * found.unit.columns.length + found.place];
  }
  number(item, column) {
    const place = this.numberPlace.get(column);
    if (place === undefined) return null;
    const value = this.data.numbers[item * this.data.number_columns.length + place];
    return value === null ? null : value / this.data.scale;
  }
  async find(query) {
    const chosen = chosenColumns(this, query);
    const coded = new Map(this.data.labels.map((label) => [label.name, label]));
    const labels = Object.entries(query.labels).map(([name, value]) => [coded.get(name), value]);
    const both = query.versus
      ? [query.system, query.versus].map((system) => chosenColumns(this, { ...query, system, versus: "" })) : null;
    const found = [];
    for (let item = 0; item < this.here; item++) {
      if (!labels.every(([label, value]) => label && label.values[label.codes[item]] === value)) continue;
      const fits = (column) => {
        const letter = this.letter(item, column);
        return (!query.verdict || query.verdict.includes(letter))
          && (!query.outcome || this.coded(this.data.outcomes, item, column) === query.outcome);
      };
      if ((query.verdict || query.outcome) && !chosen.some(fits)) continue;
      const answered = (columns) => columns.some((column) => this.letter(item, column) !== ".");
      if ((query.system || query.unit) && !answered(chosen)) continue;
      if (both && !both.every(answered)) continue;
      if (query.differ) {
        const every = both ? chosen : query.unit
          ? this.columns.flatMap(([, unit], index) => unit === query.unit ? [index] : []) : chosen;
        if (new Set(every.map((column) => this.letter(item, column))).size < 2) continue;
      }
      if (query.words && !this.lower[item].includes(query.words)
        && !this.data.ids[item].toLowerCase().includes(query.words)
        && !chosen.some((column) => plain(this.text(item, column) || "").toLowerCase().includes(query.words))) continue;
      found.push(item);
    }
    return { count: found.length, of: this.here, found };
  }
  async rows(result, from, to) {
    return result.found.slice(from, to).map((item) => ({
      id: this.data.ids[item],
      text: this.data.texts[item],
      labels: this.data.labels.map((coded) => [coded.name, coded.values[coded.codes[item]] ?? ""])
        .filter(([, value]) => value),
      // Of hundreds of columns only those that are shown are looked up.
      cell: (column) => ({
        letter: this.letter(item, column),
        words: this.coded(this.data.words, item, column),
        outcome: this.coded(this.data.outcomes, item, column),
        rule: this.coded(this.data.rules, item, column),
        text: this.text(item, column),
        number: this.number(item, column),
      }),
    }));
  }
}

class Remote {
  constructor(head) { Object.assign(this, head); }
  parameters(query) {
    const { labels, ...plainOnes } = query;
    const given = { run: this.place };
    for (const [name, value] of Object.entries(plainOnes)) if (value) given[name] = value;
    const chosen = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
    if (chosen.length) given.labels = JSON.stringify(chosen);
    return given;
  }
  async find(query) {
    const parameters = this.parameters(query);
    const { count, of } = await ask("api/count", parameters);
    return { count, of, parameters };
  }
  async rows(result, from, to) {
    const { rows } = await ask("api/items", { ...result.parameters, from, count: to - from });
    return rows.map((row) => ({ ...row, cell: (column) => row.cells[column] ?? { letter: "." } }));
  }
}

const chosenColumns = (source, query) => source.columns.flatMap(([system, unit], index) =>
  (!query.system || system === query.system || system === query.versus) && (!query.unit || unit === query.unit)
    ? [index] : []);

const openSources = async () => {
  if (server !== null) {
    const { runs } = await ask("api/runs", { runs: server });
    return runs.map((head) => new Remote(head));
  }
  const packed = [...document.querySelectorAll("script.packed-items")].map((node) => node.textContent);
  return (await Promise.all(packed.map(unpacked))).map((data) => new Packed(data));
};
