// Puts the parts together once the items are there.
{
  const live = document.getElementById("items-live");
  const start = async () => {
    const sources = await openSources();
    if (!sources.length) return;
    live.hidden = false;
    const still = document.getElementById("items-static");
    if (still) still.hidden = true;
    let drill = null, steering = true;
    const browser = startBrowser(live, sources, (state) => {
      // The address follows the filters, without filling the history.
      if (!steering && drill) history.replaceState(null, "", drill.toFragment(state));
    });
    const packed = document.querySelector("script.packed-rows");
    if (packed) drill = startDrill(browser, await unpacked(packed.textContent));
    if (!(await drill?.follow())) await browser.start();
    steering = false;
    root.dataset.items = "ready";
    // A run that the server still reads gets its filters when they are there.
    while (sources.some((source) => source.ready === false)) {
      await new Promise((done) => setTimeout(done, 1000));
      const { runs } = await ask("api/runs", { runs: server });
      sources.forEach((source, place) => Object.assign(source, runs[place]));
      if (sources.every((source) => source.ready)) await browser.refresh();
    }
  };
  if (live && "DecompressionStream" in window) {
    start().catch((error) => {
      console.error(error);
      live.hidden = true;
    });
  }
}
