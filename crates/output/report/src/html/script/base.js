// Small helpers that every other part uses. Nothing from outside is ever parsed as HTML.
const root = document.documentElement;
const el = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
};
// Deflated JSON in base64, as the file report carries it.
const unpacked = async (packed) => {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
};
// The viewer's server, where this page comes from one.
const server = document.querySelector("meta[name='epicene-view']")?.content ?? null;
const ask = async (path, parameters) => {
  const query = new URLSearchParams(parameters);
  const reply = await fetch(`${path}?${query}`, { credentials: "same-origin" });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
};
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
const copyButton = (name, text) => {
  const button = el("button", { type: "button", class: "copy" });
  // Who hears the page is told what is seen.
  const say = (word) => {
    button.textContent = word;
    button.setAttribute("aria-label", `${word}: ${name}`);
  };
  say("Copy");
  button.addEventListener("click", async () => {
    say((await copyText(text())) ? "Copied" : "Select and copy");
    setTimeout(() => say("Copy"), 2000);
  });
  return button;
};
