const CELL = { width: 8.4, height: 19 };
const MARGIN = 16;

/** Renders the screen of a terminal as an SVG of selectable text, with a few colors to tell lines apart. */
export function screenSvg(screen: string, columns: number): string {
  const lines = screen.split("\n").map((line) => line.trimEnd());
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = lines.length * CELL.height + 2 * MARGIN;
  const rows = lines.flatMap((line, index) =>
    line === "" ? [] : [row(line, MARGIN + (index + 0.75) * CELL.height)],
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal session in which caliban recalls a fact from memory, changes a file and runs its tests">
<style>
rect { fill: #fbfaf7; stroke: #d8d4c8; }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #2b2a27; white-space: pre; }
.user { font-weight: bold; }
.saved { fill: #2f6f3a; }
.added { fill: #005faf; }
.removed { fill: #a04f00; }
.quiet { fill: #8a867a; }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${rows.join("\n")}
</svg>
`;
}

function row(line: string, y: number): string {
  const name = CLASSES.find(([pattern]) => pattern.test(line))?.[1];
  const attribute = name === undefined ? "" : ` class="${name}"`;
  const text = line.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${MARGIN}" y="${y}"${attribute} xml:space="preserve">${text}</text>`;
}

const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^> /, "user"],
  [/^✓ /, "saved"],
  [/^ +\d+ \+ /, "added"],
  [/^ +\d+ - /, "removed"],
  [/^(?:─|●|○|⠹| +│|\(|local\/|caliban \d)/, "quiet"],
];
