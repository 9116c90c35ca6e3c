// How far runs are that somebody is still asking: the viewer's server is asked again and again, a file is as it is.
if (server !== null) {
  const list = document.getElementById("runs");
  const update = async () => {
    try {
      const { runs } = await ask("api/progress", {});
      for (const { place, answered, questions, busy, words } of runs) {
        const line = list?.querySelector(`[data-run="${place}"]`);
        if (!line) continue;
        // Without a value the bar says that nobody knows yet.
        if (answered !== null) line.querySelector("progress").value = questions ? answered / questions : 0;
        line.querySelector(".words").textContent = words;
        line.dataset.busy = String(busy);
      }
      root.dataset.progress = "ready";
    } catch { /* the server is gone; what is shown stays */ }
    setTimeout(update, 2000);
  };
  update();
  const filter = document.getElementById("run-filter");
  filter?.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const line of list.querySelectorAll("tbody tr")) {
      const text = line.textContent.toLowerCase();
      line.hidden = !wanted.every((word) => text.includes(word));
    }
  });
}
