// Tables: sorted by any column, copied whole as tab-separated text or column by column, cards on a phone.
{
  const textOf = (cell) => cell.textContent.replace(/\s+/g, " ").trim();
  // A heading says how it sorts for those who look; copies and cards want its name alone.
  const nameOf = (heading) => heading.dataset.name ?? textOf(heading);
  const asText = (table) => [...table.rows]
    .map((row) => [...row.cells].map((cell) => cell.tagName === "TH" && row.parentElement.tagName === "THEAD"
      ? nameOf(cell) : textOf(cell)).join("\t")).join("\n") + "\n";
  // `0.80 0.84 0.88` is low, value, high; everything else begins with its value.
  const valueOf = (cell, style) => {
    const numbers = textOf(cell).replace(/−/g, "-").match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g);
    if (!numbers) return null;
    return Number(style === "low-value-high" && numbers.length === 3 ? numbers[1] : numbers[0]);
  };
  const sort = (table, column, heading) => {
    const body = table.tBodies[0];
    const down = heading.getAttribute("aria-sort") === "descending";
    for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", down ? "ascending" : "descending");
    const isName = heading.classList.contains("name");
    const key = (row) => {
      const cell = row.cells[column];
      if (!cell) return null;
      return isName ? textOf(cell) : valueOf(cell, table.dataset.style);
    };
    const way = down ? 1 : -1;
    const compare = (a, b) => {
      // What has no number stays at the end, whichever way.
      if (a === null || b === null) return (a === null) - (b === null);
      const order = isName ? a.localeCompare(b, "en", { numeric: true }) : a - b;
      return isName ? -order * way : order * way;
    };
    const rows = [...body.rows].map((row, place) => [key(row), place, row]);
    rows.sort((a, b) => compare(a[0], b[0]) || a[1] - b[1]);
    body.append(...rows.map(([, , row]) => row));
  };
  for (const region of document.querySelectorAll(".table > .scroll")) {
    const table = region.querySelector("table");
    const name = region.getAttribute("aria-label");
    const tools = el("div", { class: "tools" }, copyButton(name, () => asText(table)));
    region.before(tools);
    const headings = table.tHead ? [...table.tHead.rows[0].cells] : [];
    headings.forEach((heading, column) => {
      const title = textOf(heading);
      heading.dataset.name = title;
      for (const row of table.tBodies[0].rows) row.cells[column]?.setAttribute("data-label", title);
      if (table.tBodies[0].rows.length < 2) return;
      heading.setAttribute("aria-sort", "none");
      const button = el("button", { type: "button", class: "sort", title: `Sort by ${title}` }, ...heading.childNodes);
      button.addEventListener("click", () => sort(table, column, heading));
      heading.append(button);
    });
    if (headings.length > 2) {
      const choice = el("select", { class: "column", "aria-label": `Copy a column of ${name}` },
        el("option", { value: "" }, "copy a column"),
        ...headings.map((heading, column) => el("option", { value: String(column) }, heading.dataset.name)));
      choice.addEventListener("change", async () => {
        if (choice.value === "") return;
        const column = Number(choice.value);
        const lines = [...table.tBodies[0].rows].map((row) =>
          [textOf(row.cells[0]), row.cells[column] ? textOf(row.cells[column]) : ""].join("\t"));
        await copyText([[headings[0], headings[column]].map(nameOf).join("\t"), ...lines].join("\n") + "\n");
        choice.value = "";
      });
      tools.append(choice);
    }
  }
  for (const signature of document.querySelectorAll("pre.signature")) {
    signature.after(copyButton("signature", () => signature.textContent));
  }
}
