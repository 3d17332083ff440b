// The page of bmsim explore: controls, whose changes go to the server, and panels, which come from it.
import { listen } from "./feed.js";
import { Motion, show_motion } from "./motion.js";
import { Plot } from "./plots.js";
import { marked, number, set, spoken } from "./text.js";

const element = id => document.getElementById(id);
const make = (tag, name = "", text = "") =>
  Object.assign(document.createElement(tag), { className: name, textContent: text });

let state = null;             // what the server has said last
const values = new Map();     // control -> value that this tab shows
let sent = 0;                 // number of the last values that this tab has sent
let asked_at = 0;             // when they were changed
const latencies = [];         // milliseconds from a change to the first curve that belongs to it

// ---- values ----

function query(only_changed) {
  const list = new URLSearchParams();
  for (const control of state?.controls ?? []) {
    const value = values.get(control.name);
    if (value !== undefined && !(only_changed && value === control.default)) list.set(control.name, String(value));
  }
  return list.toString();
}

let of_link = location.hash.slice(1); // values of the link that opened this tab, until the server has them
let unsent = of_link !== "";          // whether the tab has values that the server has not been sent
let sending = false;
async function send() {
  unsent = true;
  if (sending) return;
  sending = true;
  try {
    while (unsent) {
      unsent = false;
      const link = of_link;
      const answer = await fetch("values", { method: "POST", body: link || query(false) });
      if (answer.ok) sent = (await answer.json()).version;
      if (of_link === link) of_link = "";
      if (answer.ok && lost) regain();
    }
  } catch {
    unsent = true;
    lose();
    setTimeout(send, 1000);
  } finally {
    sending = false;
    if (state) agree(); // the last state may have come before the answer
  }
}

function change(name, value) {
  if (values.get(name) === value) return;
  values.set(name, value);
  of_link = "";
  asked_at = performance.now();
  const link = query(true);
  history.replaceState(null, "", link ? "#" + link : location.pathname);
  send();
}

// ---- controls ----

const steps = 1000; // of a slider
function place_of(control, value) {
  const part = control.log ? Math.log(value / control.from) / Math.log(control.to / control.from)
    : (value - control.from) / (control.to - control.from);
  return Math.round(part * steps);
}
function value_at(control, place) {
  if (place <= 0) return control.from;
  if (place >= steps) return control.to;
  const part = place / steps;
  const { from, to, log, step } = control;
  const value = log ? from * (to / from) ** part : from + (to - from) * part;
  if (step) return Number((from + Math.round((value - from) / step) * step).toPrecision(12));
  if (log) return Number(value.toPrecision(3));
  const digits = Math.max(0, 3 - Math.floor(Math.log10(to - from)));
  return Number(value.toFixed(Math.min(digits, 15)));
}

const makers = {
  slider(control, row, id) {
    const { from: min, to: max, name } = control;
    const box = Object.assign(make("input"), { type: "number", id, min, max, step: "any", name });
    const slider = Object.assign(make("input"), { type: "range", min: 0, max: steps, step: 1 });
    slider.setAttribute("aria-label", spoken(control.label));
    const show = value => {
      if (document.activeElement !== box) box.value = value;
      slider.value = place_of(control, value);
      slider.setAttribute("aria-valuetext", number(value));
    };
    slider.addEventListener("input", () => {
      const value = value_at(control, Number(slider.value));
      box.value = value;
      slider.setAttribute("aria-valuetext", number(value));
      change(control.name, value);
    });
    box.addEventListener("change", () => {
      const value = Number(box.value);
      if (box.value === "" || !box.checkValidity()) return box.reportValidity();
      slider.value = place_of(control, value);
      change(control.name, value);
    });
    row.append(box, slider);
    return show;
  },
  choice(control, row, id) {
    const box = Object.assign(make("select"), { id, name: control.name });
    control.options.forEach((option, i) => box.append(Object.assign(make("option", "", option), { value: i })));
    box.addEventListener("change", () => change(control.name, control.options[box.value]));
    row.append(box);
    return value => { box.value = control.options.indexOf(value); };
  },
  toggle(control, row, id) {
    const box = Object.assign(make("input"), { type: "checkbox", id, name: control.name });
    box.addEventListener("change", () => change(control.name, box.checked));
    row.append(box);
    return value => { box.checked = value; };
  },
};

let shown_controls = "";
const shows = new Map();
function show_controls() {
  const described = JSON.stringify(state.controls.map(one => ({ ...one, value: 0 })));
  if (described !== shown_controls) {
    shown_controls = described;
    shows.clear();
    const rows = state.controls.map((control, i) => {
      const row = make("div", "control"), label = make("label");
      label.htmlFor = "control" + i;
      label.append(marked(control.label));
      row.append(label);
      shows.set(control.name, makers[control.kind](control, row, "control" + i));
      return row;
    });
    element("controls").replaceChildren(...rows);
  }
  agree();
}

// What the controls show, and what the server says of them.
function agree() {
  const ours = state.version >= sent && !sending && !unsent; // else the values on the page are newer
  for (const control of state.controls) {
    if (ours || !values.has(control.name)) values.set(control.name, control.value);
    shows.get(control.name)(values.get(control.name));
  }
  if (ours) {
    const link = query(true);
    history.replaceState(null, "", link ? "#" + link : location.pathname);
  }
  if (asked_at && ours && !state.error) {
    const asked = asked_at;
    asked_at = 0;
    requestAnimationFrame(() => latencies.push(performance.now() - asked));
  }
}

// ---- panels ----

class Table {
  constructor(box) {
    this.scroll = make("div", "scroll");
    this.scroll.tabIndex = 0;
    this.table = make("table");
    this.scroll.append(this.table);
    box.append(this.scroll);
  }
  update(panel) {
    const head = make("thead"), body = make("tbody"), row = make("tr");
    for (const name of panel.names) row.append(make("th", "", name));
    head.append(row);
    const count = panel.columns[0]?.length ?? 0;
    for (let i = 0; i < count; ++i) {
      const line = make("tr");
      for (const column of panel.columns) {
        const cell = make("td", "", number(column[i]));
        cell.title = column[i];
        line.append(cell);
      }
      body.append(line);
    }
    this.table.replaceChildren(head, body);
    if (panel.rows > count) this.table.append(make("caption", "", `the first ${count} of ${panel.rows} rows`));
  }
  destroy() {}
}

class Text {
  constructor(box) { box.append(this.pre = make("pre")); }
  update(panel) { this.pre.textContent = panel.text; }
  destroy() {}
}

class Waiting {
  constructor(box) { box.append(this.text = make("p", "waiting")); }
  update(panel) { this.text.textContent = "Not enough paths yet: " + panel.text; }
  destroy() {}
}

const kinds = { curves: Plot, map: Plot, table: Table, text: Text, motion: Motion, waiting: Waiting };
const panels = [];

function show_panel(i, panel) {
  let own = panels[i];
  if (!own || own.kind !== panel.kind) {
    const box = make("article", "panel"), head = make("div", "head"), title = make("h2"), saves = make("div", "saves");
    head.append(title, saves);
    box.append(head);
    box.classList.toggle("wide", panel.kind === "table" || panel.kind === "text");
    own?.view.destroy();
    own ? own.box.replaceWith(box) : element("panels").append(box);
    own = panels[i] = { kind: panel.kind, box, head, title, saves, view: new kinds[panel.kind](box) };
  }
  own.box.dataset.panel = panel.id;
  own.panel = panel;
  set(own.title, [panel.letter, panel.title].filter(Boolean).join(" "));
  if (own.saved !== panel.id + panel.saves) {
    own.saved = panel.id + panel.saves;
    const words = { svg: "SVG", pdf: "PDF", csv: "CSV", nc: "netCDF" };
    own.saves.replaceChildren(...panel.saves.map(format => {
      const link = make("a", "", words[format]);
      link.href = `take/${panel.id}.${format}`;
      link.download = "";
      return link;
    }));
  }
  own.head.hidden = !own.title.textContent && panel.saves.length === 0;
  own.view.update(panel);
}

function show_panels() {
  const keep = state.error && state.panels.length < panels.length; // the last good ones, under the error
  state.panels.forEach((panel, i) => show_panel(i, panel));
  while (!keep && panels.length > state.panels.length) {
    const last = panels.pop();
    last.view.destroy();
    last.box.remove();
  }
}

// ---- what the server says ----

function say(text) { if (element("status").textContent !== text) element("status").textContent = text; }
function fail(text) {
  element("failure").hidden = !text;
  element("failure").textContent = text ?? "";
}

function show_state(text) {
  state = JSON.parse(text);
  element("script").textContent = (state.script ?? "bmsim explore").split("/").pop();
  element("script").title = state.script ?? "";
  document.title = `${(state.script ?? "").split("/").pop()} – bmsim explore`;
  show_controls();
  show_panels();
  fail(state.error);
  element("command").textContent = state.command;
  element("warnings").hidden = state.warnings.length === 0;
  element("warnings").querySelector("ul").replaceChildren(...state.warnings.map(one => make("li", "", one)));
  const root = document.documentElement.dataset;
  root.version = state.version;
  root.done = Boolean(state.done);
  root.paths = state.paths;
  show_status({ running: false });
}

function show_status(status) {
  if (!state) return say("Running; a model that is new is compiled first…");
  const all = state.all_paths, now = state.paths;
  element("progress").hidden = !all;
  element("progress").value = state.done ? 1 : now / all;
  const paths = !all ? "" : state.done ? `${all} paths` : `${now} of ${all} paths`;
  if (state.error) return say("The script ends with an error.");
  const part = status.progress ? ` ${Math.round(100 * status.progress)} %` : "";
  say([paths, state.done && !status.running ? "done" : "running" + part].filter(Boolean).join(", "));
}

let lost = false;
function lose() {
  lost = true;
  if (state) {
    state.version = -1; // of the server that is lost: another one counts from 0 again
  } else {
    of_link = location.hash.slice(1);
    unsent = of_link !== "";
  }
  say("No connection to bmsim explore; trying again…");
  fail("The connection to bmsim explore is lost. If it has ended, start it again and open the link that it prints.");
}

function regain() {
  lost = false;
  fail(state?.error);
}

function hear(kind, text) {
  if (kind === "open") {
    if (unsent || (lost && state)) send(); // or perhaps to another server, which knows nothing of these values
    if (lost) regain();
  }
  if (kind === "error") lose();
  if (kind === "motion") show_motion(text);
  if (kind === "state") show_state(text);
  if (kind === "status") {
    const status = JSON.parse(text);
    if (status.running && !state?.error) fail(null);
    show_status(status);
  }
  if (kind === "failure") fail(JSON.parse(text).failure);
}

function hear_alone() { addEventListener("pagehide", listen(hear)); }

function hear_with_other_tabs() {
  try {
    const worker = new SharedWorker("feed.js", { type: "module" });
    worker.onerror = hear_alone;
    worker.port.onmessage = ({ data: [kind, text] }) => hear(kind, text);
    addEventListener("pagehide", () => worker.port.postMessage("leaves"));
  } catch { // some browsers have none, or not for everybody
    hear_alone();
  }
}

element("reset").addEventListener("click", () => {
  for (const control of state?.controls ?? []) values.set(control.name, control.default);
  for (const control of state?.controls ?? []) shows.get(control.name)(control.default);
  of_link = "";
  asked_at = performance.now();
  history.replaceState(null, "", location.pathname);
  send();
});
element("controls").addEventListener("submit", event => event.preventDefault());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const own of panels) own.view.update(own.panel);
});
globalThis.explorer = { // for tests and benchmarks
  latencies, panels,
  get state() { return state; },
  get pending() { return sending || unsent || !state || state.version < sent; },
};
hear_with_other_tabs();
