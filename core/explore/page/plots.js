// Curves with error bars and bands, and maps, by Chart.js. What is drawn is what r:plot would draw.
import { marked, number, set, spoken } from "./text.js";

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const usable = (axis, value) => value !== null && Number.isFinite(value) && (!axis.log || value > 0);
const scaled = (axis, value) => axis.log ? Math.log10(value) : value;
const unscaled = (axis, value) => axis.log ? 10 ** value : value;

// Black, grey and dark blue would not be seen on a dark ground.
function seen(colour) {
  if (colour === "#000000") return css("--ink");
  if (colour === "#0072B2") return css("--blue");
  return colour === "#555555" ? css("--faint") : colour;
}

// The ends of an axis: those given, or what holds the values with a margin.
function ends(axis, values, margin) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (!usable(axis, value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) [low, high] = axis.log ? [0.1, 10] : [0, 1];
  [low, high] = [scaled(axis, low), scaled(axis, high)];
  let pad = (high - low) * margin;
  if (high - low <= 1e-12 * Math.max(Math.abs(low), Math.abs(high))) pad = axis.log ? 0.5 : Math.abs(low) / 2 || 1;
  return [axis.from ?? unscaled(axis, low - pad), axis.to ?? unscaled(axis, high + pad)];
}

export function ticks(axis, from, to) {
  const list = [];
  if (axis.log) {
    const decades = Math.log10(to / from);
    const digits = decades > 3 ? [1] : decades > 1.2 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 8];
    for (let k = Math.floor(Math.log10(from)); k <= Math.log10(to); ++k)
      for (const digit of digits) list.push(digit * 10 ** k);
    return list.filter(value => value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9));
  }
  const rough = (to - from) / 7.5, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find(one => one * power >= rough) * power;
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; ++k)
    list.push(Number((k * step).toPrecision(12)));
  return list;
}

function scale_of(axis, [from, to]) {
  return {
    type: axis.log ? "logarithmic" : "linear", min: from, max: to,
    afterBuildTicks: own => { own.ticks = ticks(axis, from, to).map(value => ({ value })); },
    ticks: { callback: value => number(value, 6), color: css("--faint"), maxRotation: 0, autoSkip: true },
    grid: { color: css("--grid"), borderColor: css("--faint"), tickColor: css("--faint") },
    title: { display: false },
  };
}

const styles = {
  7: ["circle", true], 5: ["rect", true], 9: ["triangle", true], 13: ["rectRot", true], 11: ["triangle", true, 180],
  6: ["circle", false], 4: ["rect", false], 8: ["triangle", false], 12: ["rectRot", false],
  10: ["triangle", false, 180],
};
const dashes = { 1: [], 2: [8, 4], 3: [2, 3], 4: [8, 3, 2, 3], 5: [12, 4] };

function dataset(curve) {
  const colour = seen(curve.colour), [style, full, rotation] = styles[curve.marker] ?? ["circle", true];
  const many = curve.x.length > 60;
  const radius = curve.marker ? curve.dots ? 0.8 : many ? 2.2 : 3.6 : 0;
  return {
    data: curve.x.map((x, i) => ({ x: x ?? NaN, y: curve.y[i] ?? NaN })),
    low: curve.low, high: curve.high, band: curve.band, label: spoken(curve.title ?? ""),
    showLine: curve.line, borderColor: colour, borderWidth: curve.marker ? 1.2 : 2,
    borderDash: dashes[curve.dash] ?? [],
    pointStyle: style, pointRotation: rotation ?? 0, pointRadius: radius, pointHoverRadius: radius ? radius + 2 : 0,
    pointBorderColor: colour, pointBackgroundColor: full ? colour : css("--panel"),
    pointHitRadius: curve.marker ? 6 : 0,
  };
}

// Bars and bands of errors, under the curves.
const errors = {
  id: "errors",
  beforeDatasetsDraw(chart) {
    const { ctx, chartArea: area, scales: { x, y } } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left, area.top, area.width, area.height);
    ctx.clip();
    for (const one of chart.data.datasets) {
      if (!one.low) continue;
      const height = value => {
        if (value === null) return NaN;
        return y.options.type === "logarithmic" && value <= 0 ? area.bottom : y.getPixelForValue(value);
      };
      const at = (i, value) => [x.getPixelForValue(one.data[i].x), height(value)];
      ctx.strokeStyle = ctx.fillStyle = one.borderColor;
      ctx.lineWidth = 1.2;
      if (one.band) {
        ctx.globalAlpha = 0.25;
        ctx.beginPath();
        one.data.forEach((_, i) => ctx.lineTo(...at(i, one.high[i])));
        for (let i = one.data.length - 1; i >= 0; --i) ctx.lineTo(...at(i, one.low[i]));
        ctx.fill();
        ctx.globalAlpha = 1;
      } else {
        ctx.beginPath();
        one.data.forEach((_, i) => {
          ctx.moveTo(...at(i, one.low[i]));
          ctx.lineTo(...at(i, one.high[i]));
        });
        ctx.stroke();
      }
    }
    ctx.restore();
  },
};

function channels(colour) { return [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16)); }
function mixed(palette, part) {
  const place = Math.min(Math.max(part, 0), 1) * (palette.length - 1);
  const i = Math.min(Math.floor(place), palette.length - 2);
  const a = channels(palette[i]), b = channels(palette[i + 1]), t = place - i;
  return `rgb(${a.map((value, c) => Math.round(value + (b[c] - value) * t)).join(",")})`;
}

function colouring(panel) {
  const { map, z } = panel;
  let low = Infinity, high = -Infinity;
  for (const row of map.z) for (const value of row) {
    if (!usable(z, value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  low = z.from ?? low;
  high = z.to ?? high;
  if (map.symmetric) { high = Math.max(-low, high); low = -high; }
  const [a, b] = [scaled(z, low), scaled(z, high)];
  const part = value => b > a ? (scaled(z, value) - a) / (b - a) : 0.5;
  return { low, high, colour: value => usable(z, value) ? mixed(map.palette, part(value)) : null };
}

function edges(axis, centres) {
  const u = centres.map(value => scaled(axis, value)), n = u.length;
  if (n === 1) return [unscaled(axis, u[0] - 0.5), unscaled(axis, u[0] + 0.5)];
  const list = [u[0] - (u[1] - u[0]) / 2];
  for (let i = 1; i < n; ++i) list.push((u[i - 1] + u[i]) / 2);
  list.push(u[n - 1] + (u[n - 1] - u[n - 2]) / 2);
  return list.map(value => unscaled(axis, value));
}

const cells = {
  id: "cells",
  beforeDatasetsDraw(chart) {
    const map = chart.canvas.map; // not among the options, whose functions Chart.js would call
    if (!map) return;
    const { ctx, chartArea: area, scales: { x, y } } = chart, { panel, xs, ys, colour } = map;
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left, area.top, area.width, area.height);
    ctx.clip();
    const px = xs.map(value => Math.round(x.getPixelForValue(value)));
    const py = ys.map(value => Math.round(y.getPixelForValue(value)));
    panel.map.z.forEach((row, j) => row.forEach((value, i) => {
      const fill = colour(value);
      if (!fill) return;
      ctx.fillStyle = fill;
      ctx.fillRect(px[i], py[j + 1], Math.max(1, px[i + 1] - px[i]), Math.max(1, py[j] - py[j + 1]));
    }));
    ctx.restore();
  },
};

function legend_entry(one) {
  const entry = document.createElement("span"), colour = seen(one.colour), ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg"), line = document.createElementNS(ns, "line");
  svg.setAttribute("viewBox", "0 0 26 12");
  svg.setAttribute("aria-hidden", "true");
  for (const [name, value] of Object.entries({ x1: 0, x2: 26, y1: 6, y2: 6, stroke: colour, "stroke-width": 2,
    "stroke-dasharray": (dashes[one.dash] ?? []).join(" ") })) line.setAttribute(name, value);
  if (one.line ?? one.dash) svg.append(line);
  if (one.marker) {
    const dot = document.createElementNS(ns, "circle"), full = (styles[one.marker] ?? ["", true])[1];
    for (const [name, value] of Object.entries({ cx: 13, cy: 6, r: 4, stroke: colour, fill: full ? colour : "none" }))
      dot.setAttribute(name, value);
    svg.append(dot);
  }
  const words = document.createElement("span");
  set(words, one.title);
  entry.append(svg, words);
  return entry;
}

function options_of(panel, x_ends, y_ends) {
  return {
    animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: false,
    interaction: { mode: "nearest", intersect: true },
    scales: { x: scale_of(panel.x, x_ends), y: scale_of(panel.y, y_ends) },
    plugins: {
      legend: { display: false },
      tooltip: { callbacks: {
        title: () => "",
        label: item => {
          const { high, label } = item.dataset, { x, y } = item.raw, top = high?.[item.dataIndex] ?? null;
          return `${label ? label + ": " : ""}${number(x)}, ${number(y)}` +
            (top === null ? "" : ` ± ${number(top - y, 2)}`);
        } } },
    },
  };
}

/// A plot within an element; update(panel) draws another state of it.
export class Plot {
  constructor(element) {
    const make = (tag, name) => Object.assign(document.createElement(tag), { className: name });
    this.box = make("div", "plot");
    this.ylabel = make("div", "ylabel");
    this.frame = make("div", "frame");
    this.xlabel = make("div", "xlabel");
    this.canvas = make("canvas", "");
    this.canvas.setAttribute("role", "img");
    this.legend = make("div", "legend");
    this.scale = make("div", "scale");
    this.frame.append(this.canvas);
    this.box.append(this.ylabel, this.frame, this.xlabel);
    element.append(this.box, this.legend, this.scale);
    this.chart = null;
  }

  update(panel) {
    this.panel = panel;
    set(this.xlabel, panel.x.label);
    set(this.ylabel, panel.y.label);
    this.canvas.setAttribute("aria-label", `${spoken(panel.y.label)} against ${spoken(panel.x.label)}`);
    const [datasets, options] = panel.map ? this.map(panel) : this.curves(panel);
    if (this.chart) {
      this.chart.data.datasets = datasets;
      this.chart.options = options;
      this.chart.update("none");
    } else {
      this.chart = new Chart(this.canvas, { type: "scatter", data: { datasets }, options, plugins: [cells, errors] });
    }
  }

  curves(panel) {
    const xs = [], ys = [];
    for (const curve of panel.curves) {
      for (const value of curve.x) xs.push(value);
      for (const list of [curve.y, curve.low ?? [], curve.high ?? []]) for (const value of list) ys.push(value);
    }
    const entries = panel.curves.filter(one => one.title).concat(panel.key ?? []);
    this.legend.replaceChildren(...(panel.legend === "off" ? [] : entries.map(legend_entry)));
    this.scale.replaceChildren();
    this.canvas.map = null;
    return [panel.curves.map(dataset), options_of(panel, ends(panel.x, xs, 0.03), ends(panel.y, ys, 0.06))];
  }

  map(panel) {
    const xs = edges(panel.x, panel.map.x), ys = edges(panel.y, panel.map.y), { low, high, colour } = colouring(panel);
    const ends_of = (axis, list) => [axis.from ?? list[0], axis.to ?? list[list.length - 1]];
    const options = options_of(panel, ends_of(panel.x, xs), ends_of(panel.y, ys));
    this.canvas.map = { panel, xs, ys, colour };
    options.scales.x.grid.display = options.scales.y.grid.display = false;
    const bar = document.createElement("canvas"), label = document.createElement("span");
    bar.width = 256;
    bar.height = 1;
    const ctx = bar.getContext("2d");
    for (let i = 0; i < 256; ++i) {
      ctx.fillStyle = mixed(panel.map.palette, i / 255);
      ctx.fillRect(i, 0, 1, 1);
    }
    label.className = "label";
    label.append(marked(panel.z?.label ?? ""));
    this.legend.replaceChildren();
    this.scale.replaceChildren(number(low, 3), bar, number(high, 3), label);
    return [[], options];
  }

  destroy() { this.chart?.destroy(); }
}
