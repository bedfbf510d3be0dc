import { type Curve, formatSize, type Point } from "./curve.ts";

const [WIDTH, HEIGHT] = [640, 300];
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 24, 52, 64];
const STEPS = 4;

/** Draws a curve over a logarithmic size. The colors are those of the other pictures. */
export function renderCurve(curve: Curve, caption: string): string {
  const { title, of, unit, points, target } = curve;
  const top = niceMaximum(Math.max(...points.map(({ value }) => value), target ?? 0));
  const { x, y } = scalesOf(points, top);
  const place = ({ size, value }: Point): string => `${x(size).toFixed(1)},${y(value).toFixed(1)}`;
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => (top * step) / STEPS);
  const [left, right] = [LEFT, WIDTH - RIGHT];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(describe(curve))}">
<style>
rect { fill: #fbfaf7; stroke: #d8d4c8; }
text { font: 12px system-ui, sans-serif; fill: #2b2a27; }
.title { font-weight: bold; font-size: 14px; }
.quiet { fill: #6e6a60; }
.grid { stroke: #e4e0d5; }
.target { stroke: #a04f00; stroke-dasharray: 6 4; }
.curve { fill: none; stroke: #005faf; stroke-width: 2; }
circle { fill: #005faf; }
</style>
<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8"/>
<text x="16" y="26" class="title">${escaped(title)}</text>
${steps
  .map(
    (value) =>
      `<line x1="${left}" x2="${right}" y1="${y(value)}" y2="${y(value)}" class="grid"/>
<text x="${left - 8}" y="${y(value) + 4}" text-anchor="end" class="quiet">${escaped(label(value))} ${escaped(unit)}</text>`,
  )
  .join("\n")}
${points
  .map(
    ({ size }) =>
      `<text x="${x(size).toFixed(1)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle" class="quiet">${formatSize(size, of)}</text>`,
  )
  .join("\n")}
${
  target === undefined
    ? ""
    : `<line x1="${left}" x2="${right}" y1="${y(target)}" y2="${y(target)}" class="target"/>
<text x="${right}" y="${y(target) - 6}" text-anchor="end" class="quiet">target: ${label(target)} ${escaped(unit)}</text>`
}
<polyline class="curve" points="${points.map(place).join(" ")}"/>
${points.map((point) => `<circle cx="${place(point).replace(",", '" cy="')}" r="3.5"/>`).join("\n")}
<text x="16" y="${HEIGHT - 14}" class="quiet">${escaped(caption)}</text>
</svg>
`;
}

function scalesOf(
  points: readonly Point[],
  top: number,
): { readonly x: (size: number) => number; readonly y: (value: number) => number } {
  const sizes = points.map(({ size }) => Math.log(size));
  const [first, last] = [Math.min(...sizes), Math.max(...sizes)];
  const [width, height] = [WIDTH - LEFT - RIGHT - 48, HEIGHT - TOP - BOTTOM];
  return {
    x: (size) => LEFT + 24 + ((Math.log(size) - first) / (last - first || 1)) * width,
    y: (value) => TOP + height - (value / top) * height,
  };
}

/** The next value above that divides into even steps. */
function niceMaximum(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  const factor = [1, 2, 4, 6, 8, 10, 12].find((each) => each * power >= value * 1.05) ?? 20;
  return factor * power;
}

function label(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function describe({ title, of, unit, points }: Curve): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return title;
  const at = ({ size, value }: Point): string =>
    `${label(value)} ${unit} at ${formatSize(size, of)}${of === "bytes" ? "" : ` ${of}`}`;
  return `${title}: ${at(first)}, ${at(last)}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
