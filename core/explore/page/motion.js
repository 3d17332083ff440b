// Particles that move in their potential, or in the plane: frames that bmsim has computed, shown one after the other.
// They come in parts; while one is shown bmsim computes the next. New values begin with part 0 of another round.
import { ticks } from "./plots.js";
import { number } from "./text.js";

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const rate = 30; // frames of bmsim a second; what is between them is drawn in between

function unpack({ from, to, data }) {
  const bytes = Uint8Array.from(atob(data), c => c.charCodeAt(0)), words = new Uint16Array(bytes.buffer);
  return Float32Array.from(words, word => word === 65535 ? NaN : from + (to - from) * word / 65534);
}

let motions = {}; // key of a panel -> the part that has come last
const views = new Set();

export function show_motion(text) {
  motions = JSON.parse(text);
  for (const view of views) view.take(motions[view.key]);
}

export class Motion {
  constructor(element) {
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.button = document.createElement("button");
    this.button.type = "button";
    this.box = document.createElement("div");
    this.box.className = "motion";
    this.box.append(this.canvas);
    this.failure = document.createElement("p");
    this.failure.className = "waiting";
    this.failure.hidden = true;
    element.append(this.box, this.failure, this.button);
    views.add(this);
    this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.time = 0;
    this.drawn = 0;
    this.name();
    this.button.addEventListener("click", () => {
      this.playing = !this.playing;
      this.name();
    });
    this.last = performance.now();
    this.loop = now => {
      if (this.ended) return;
      if (this.playing && this.panel) {
        this.time += Math.min(Math.max(now - this.last, 0), 200) / 1000 * rate;
        if (this.time >= this.panel.frames - 1) this.go_on();
        ++this.drawn;
      }
      if (this.panel && (this.playing || !this.painted)) this.draw();
      this.last = now;
      requestAnimationFrame(this.loop);
    };
    requestAnimationFrame(this.loop);
    new ResizeObserver(() => { this.painted = false; }).observe(this.canvas);
  }

  name() { this.button.textContent = this.playing ? "Pause" : "Play"; }

  update({ key }) {
    this.key = key;
    this.painted = false;
    this.take(motions[key]);
  }

  // A part has come: of new values, or what is shown when the present part ends.
  take(panel) {
    if (!panel || panel === this.panel) return;
    this.failure.hidden = !panel.failure;
    this.failure.textContent = panel.failure ?? "";
    if (panel.failure) return;
    if (this.panel?.round === panel.round) this.next = panel;
    else this.show(panel);
  }

  go_on() {
    this.time = 0;
    if (this.next) this.show(this.next);
  }

  show(panel) {
    this.next = null;
    this.painted = false;
    if (this.panel && this.time > panel.frames - 1) this.time = 0;
    this.panel = panel;
    this.x = unpack(panel.x);
    this.y = panel.y ? unpack(panel.y) : null;
    const where = panel.energies ? " in their potential" : "";
    this.canvas.setAttribute("aria-label", `${panel.count} particles moving${where}`);
    this.density = panel.density ? this.paint(panel) : null;
  }

  // The density as a small picture that is drawn enlarged.
  paint(panel) {
    const picture = document.createElement("canvas"), n = panel.bins;
    const ctx = Object.assign(picture, { width: n, height: n }).getContext("2d");
    const image = ctx.createImageData(n, n);
    panel.density.forEach((value, k) => {
      const place = 4 * ((n - 1 - Math.floor(k / n)) * n + k % n);
      image.data.set([0, 114, 178, Math.round(230 * Math.sqrt(value))], place);
    });
    ctx.putImageData(image, 0, 0);
    return picture;
  }

  // A place of particle p now.
  at(values, p) {
    const { frames, wraps, from, to } = this.panel, k = Math.floor(this.time), i = p * frames + k;
    let step = values[Math.min(i + 1, (p + 1) * frames - 1)] - values[i];
    if (wraps) step -= (to - from) * Math.round(step / (to - from)); // beyond an edge it comes in at the other one
    return values[i] + step * (this.time - k);
  }

  draw() {
    this.painted = true;
    const box = this.canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    const width = Math.round(box.width * ratio), height = Math.round(box.height * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    const ctx = this.canvas.getContext("2d");
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, box.width, box.height);
    const draw = this.y ? this.plane : this.line;
    draw.call(this, ctx, box.width, box.height);
    ctx.fillStyle = css("--faint");
    ctx.font = "13px system-ui, sans-serif";
    const t = this.panel.begin + this.time / (this.panel.frames - 1) * this.panel.duration;
    ctx.fillText(`t = ${t.toPrecision(3)}`, 8, 16);
    if (!this.panel.levels) return;
    ctx.textAlign = "right";
    ctx.fillText("dashed: at the levels of the noise", box.width - 8, 16);
    ctx.textAlign = "left";
  }

  // Of rows at phases of the drives: what there is now at a place.
  present(rows, u) {
    const n = rows[0].length - 1;
    const phase = Math.min(rows.length - 1, Math.floor(this.time / (this.panel.frames - 1) * rows.length));
    const row = rows[phase];
    const place = Math.min(Math.max(u, 0), 1) * n, i = Math.min(Math.floor(place), n - 1);
    return row[i] + (row[i + 1] - row[i]) * (place - i);
  }

  // V, on average over noises that modulate it; with a level of these noises, there.
  energy(u, level = 0) {
    const { energies, modulated } = this.panel;
    return this.present(energies, u) + (level === 0 ? 0 : level * this.present(modulated, u));
  }

  // The lowest and the highest V of the whole part.
  energy_range() {
    const { energies, modulated, levels } = this.panel;
    let low = Infinity, high = -Infinity;
    for (let k = 0; k < Math.max(energies.length, modulated?.length ?? 0); ++k) {
      const row = energies[Math.min(k, energies.length - 1)], factor = modulated?.[Math.min(k, modulated.length - 1)];
      row.forEach((value, i) => {
        if (value === null) return;
        for (const level of [0, ...levels ?? []]) {
          const V = value + (level === 0 ? 0 : level * factor[i]);
          low = Math.min(low, V);
          high = Math.max(high, V);
        }
      });
    }
    return high > low ? [low, high] : [low - 1, high + 1];
  }

  // Places along the lower edge, and what they are places of.
  ruler(ctx, width, height, from, to, name) {
    ctx.fillStyle = ctx.strokeStyle = css("--faint");
    ctx.font = "13px system-ui, sans-serif";
    ctx.textAlign = "center";
    ctx.lineWidth = 1;
    for (const value of ticks({ log: false }, from, to)) {
      const x = (value - from) / (to - from) * width;
      if (x < 20 || x > width - 40) continue;
      ctx.fillRect(x, height - 20, 1, 4);
      ctx.fillText(number(value), x, height - 4);
    }
    ctx.textAlign = "right";
    ctx.font = "italic 15px serif";
    ctx.fillText(name, width - 4, height - 4);
    ctx.textAlign = "left";
  }

  line(ctx, width, height) {
    const { from, to, levels, count, wraps } = this.panel, span = to - from, margin = 30;
    const [low, high] = this.panel.ends ??= this.energy_range();
    const px = u => u * width, py = value => height - margin - (value - low) / (high - low) * (height - 2 * margin);
    ctx.strokeStyle = css("--ink");
    for (const level of [...levels ?? [], 0]) {
      ctx.lineWidth = level === 0 ? 1.6 : 1;
      ctx.setLineDash(level === 0 ? [] : [5, 4]);
      ctx.beginPath();
      for (let i = 0; i <= 400; ++i) ctx.lineTo(px(i / 400), py(this.energy(i / 400, level)));
      ctx.stroke();
    }
    ctx.setLineDash([]);
    ctx.fillStyle = css("--accent");
    ctx.globalAlpha = 0.55;
    for (let p = 0; p < count; ++p) {
      let u = (this.at(this.x, p) - from) / span;
      if (wraps) u -= Math.floor(u);
      if (!(u >= 0 && u <= 1)) continue;
      ctx.beginPath();
      ctx.arc(px(u), py(this.energy(u)) - 4 - 7 * (p * 0.618 % 1), 3.2, 0, 7);
      ctx.fill();
    }
    ctx.globalAlpha = 1;
    this.ruler(ctx, width, height, from, to, "x");
  }

  plane(ctx, width, height) {
    const { from, to, y_from, y_to, count } = this.panel;
    ctx.imageSmoothingEnabled = true;
    if (this.density) ctx.drawImage(this.density, 0, 0, width, height);
    ctx.fillStyle = css("--ink");
    ctx.globalAlpha = 0.7;
    for (let p = 0; p < count; ++p) {
      const u = (this.at(this.x, p) - from) / (to - from), v = (this.at(this.y, p) - y_from) / (y_to - y_from);
      if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) continue;
      ctx.beginPath();
      ctx.arc(u * width, (1 - v) * height, 2.6, 0, 7);
      ctx.fill();
    }
    ctx.globalAlpha = 1;
    const [across, upwards] = this.panel.variables;
    this.ruler(ctx, width, height, from, to, `${across} →,  ${upwards} ↑`);
  }

  destroy() {
    this.ended = true;
    views.delete(this);
  }
}
