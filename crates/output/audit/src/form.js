'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const at = (id) => document.getElementById(id);
  const store = `epicene-audit/${data.population}/${data.seed}/${data.rows.length}`;
  const keys = data.choices.map(([key]) => key.toLowerCase());
  let state = { annotator: '', place: 0, labels: {}, comments: {} };

  // What was labelled before this page was closed.
  let saves = true;
  try {
    const kept = JSON.parse(localStorage.getItem(store) || 'null');
    if (kept) state = { ...state, ...kept };
    else localStorage.setItem(store, JSON.stringify(state));
  } catch {
    saves = false;
    at('warning').hidden = false;
    at('warning').textContent = 'This browser keeps nothing for this page: save the labels as CSV before you close it.';
  }
  const save = () => { if (saves) localStorage.setItem(store, JSON.stringify(state)); };

  const buttons = data.choices.map(([key, name, meaning]) => {
    const button = document.createElement('button');
    button.type = 'button';
    const pressed = document.createElement('kbd');
    pressed.textContent = key;
    button.append(pressed, ` ${name}`);
    if (meaning) {
      const small = document.createElement('small');
      small.textContent = meaning;
      button.append(small);
    }
    button.addEventListener('click', () => choose(key));
    at('choices').append(button);
    return button;
  });

  function show() {
    const row = data.rows[state.place];
    const done = data.rows.filter((each) => state.labels[each.id]).length;
    at('progress').textContent = `${done} of ${data.rows.length} labelled`;
    at('bar').max = data.rows.length;
    at('bar').value = done;
    at('place').textContent = `Number ${state.place + 1} of ${data.rows.length}${row.unit ? ` · ${row.unit}` : ''}`;
    at('question').textContent = row.question;
    at('source').textContent = row.source;
    at('source').hidden = at('source-name').hidden = !row.source;
    at('translation').textContent = row.translation;
    for (const name of ['system', 'verdict']) at(name).textContent = row[name] ?? '';
    for (const each of document.querySelectorAll('.shown')) each.hidden = row.verdict === undefined;
    at('comment').value = state.comments[row.id] ?? '';
    buttons.forEach((button, place) => button.setAttribute('aria-pressed', String(state.labels[row.id] === data.choices[place][0])));
  }

  function go(place) {
    state.place = Math.min(Math.max(place, 0), data.rows.length - 1);
    save();
    show();
  }

  function choose(key) {
    state.labels[data.rows[state.place].id] = key;
    go(state.place + 1);
  }

  function clear() {
    delete state.labels[data.rows[state.place].id];
    go(state.place);
  }

  function open() {
    const count = data.rows.length;
    for (let step = 1; step <= count; step++) {
      const place = (state.place + step) % count;
      if (!state.labels[data.rows[place].id]) return go(place);
    }
  }

  const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const harmless = (text) => (/^[=+\-@\t\r']/.test(text) ? `'${text}` : text);

  function csv() {
    const lines = [...data.head];
    const name = state.annotator.replace(/[,;"\s]+/g, ' ').trim();
    if (name) lines.push(`# annotator: ${name}`);
    lines.push(data.columns.join(','));
    for (const row of data.rows) {
      const cells = [...row.cells, state.labels[row.id] ?? '', harmless(state.comments[row.id] ?? '')];
      lines.push(cells.map(cell).join(','));
    }
    return `${lines.join('\n')}\n`;
  }

  function write() {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([csv()], { type: 'text/csv;charset=utf-8' }));
    const name = state.annotator.replace(/[^\p{L}\p{N}_-]+/gu, '_');
    link.download = name ? `labels-${name}.csv` : 'labels.csv';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  // RFC 4180, and what spreadsheets make of it.
  function parse(text) {
    const body = text.replace(/^\ufeff/, '').split('\n').filter((line) => !/^"?#/.test(line)).join('\n');
    const head = body.split('\n')[0];
    const comma = [',', ';', '\t'].sort((a, b) => head.split(b).length - head.split(a).length)[0];
    const rows = [[]];
    let field = '';
    let quoted = false;
    for (let place = 0; place < body.length; place++) {
      const c = body[place];
      if (quoted) {
        if (c !== '"') field += c;
        else if (body[place + 1] === '"') { field += '"'; place++; } else quoted = false;
      } else if (c === '"' && field === '') quoted = true;
      else if (c === comma || c === '\n') {
        rows.at(-1).push(field.replace(/\r$/, ''));
        field = '';
        if (c === '\n') rows.push([]);
      } else field += c;
    }
    rows.at(-1).push(field);
    return rows;
  }

  function agree(text) {
    const [head, ...rows] = parse(text);
    const place = (name) => head.findIndex((each) => each.trim().toLowerCase() === name);
    const [id, label] = [place('id'), place('label')];
    const meant = (written) => data.choices.find(([key, name]) => [key.toLowerCase(), name.toLowerCase()].includes((written ?? '').trim().toLowerCase()))?.[0];
    const theirs = new Map(rows.map((row) => [row[id], meant(row[label])]));
    const known = new Set(data.rows.map((row) => row.id));
    const foreign = id < 0 || label < 0 || ![...theirs.keys()].some((each) => known.has(each));
    const pairs = data.rows.map((row) => [state.labels[row.id], theirs.get(row.id)]).filter(([mine, other]) => mine && other);
    const box = at('agreement');
    box.hidden = false;
    if (foreign) { box.textContent = 'That file holds no labels of this sample.'; return; }
    if (!pairs.length) { box.textContent = 'There is nothing that both have labelled yet.'; return; }
    const n = pairs.length;
    const same = pairs.filter(([mine, other]) => mine === other).length / n;
    const share = (side, key) => pairs.filter((pair) => pair[side] === key).length / n;
    const chance = data.choices.reduce((sum, [key]) => sum + share(0, key) * share(1, key), 0);
    const kappa = chance < 1 ? ((same - chance) / (1 - chance)).toFixed(3) : 'undefined (one label throughout)';
    const apart = pairs.filter(([mine, other]) => mine !== other).length;
    box.textContent = `Agreement on ${n} labels of both: ${(100 * same).toFixed(1)} %, Cohen's κ ${kappa}; ${apart} differ.`;
  }

  at('back').addEventListener('click', () => go(state.place - 1));
  at('next').addEventListener('click', () => go(state.place + 1));
  at('open').addEventListener('click', open);
  at('clear').addEventListener('click', clear);
  at('export').addEventListener('click', write);
  at('other').addEventListener('change', async (event) => { if (event.target.files[0]) agree(await event.target.files[0].text()); });
  at('annotator').value = state.annotator;
  at('annotator').addEventListener('input', (event) => { state.annotator = event.target.value; save(); });
  at('comment').addEventListener('input', (event) => { state.comments[data.rows[state.place].id] = event.target.value; save(); });
  document.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') { event.preventDefault(); write(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const writing = event.target instanceof HTMLInputElement;
    if (writing) {
      if (event.key === 'Escape' || event.key === 'Enter') { event.target.blur(); event.preventDefault(); }
      return;
    }
    const choice = keys.indexOf(event.key.toLowerCase());
    if (choice >= 0) choose(data.choices[choice][0]);
    else if (event.key === 'ArrowLeft') go(state.place - 1);
    else if (event.key === 'ArrowRight') go(state.place + 1);
    else if (event.key === 'Backspace' || event.key === 'Delete') clear();
    else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) open();
    else return;
    event.preventDefault();
  });
  go(state.place);
  document.documentElement.dataset.form = 'ready';
})();
