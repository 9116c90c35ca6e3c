// Theme: the reader's own, until the button says otherwise. On paper nothing stays folded.
{
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
}
