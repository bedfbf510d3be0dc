const CELL = { width: 8.4, height: 19 };
const MARGIN = 16;

/** What a terminal shows as a picture of text that can be selected, with the few colours that tell lines apart. */
export function screenSvg(screen: string, columns: number): string {
  const lines = screen.split("\n").map((line) => line.trimEnd());
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = lines.length * CELL.height + 2 * MARGIN;
  const rows = lines.flatMap((line, index) =>
    line === "" ? [] : [row(line, MARGIN + (index + 0.75) * CELL.height)],
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal in which caliban remembers a sentence and answers from it">
<style>
rect { fill: #fbfaf7; stroke: #d8d4c8; }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #2b2a27; white-space: pre; }
.said { font-weight: bold; }
.saved { fill: #2f6f3a; }
.quiet { fill: #8a867a; }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${rows.join("\n")}
</svg>
`;
}

function row(line: string, y: number): string {
  const kind = LOOKS.find(([pattern]) => pattern.test(line))?.[1];
  const look = kind === undefined ? "" : ` class="${kind}"`;
  const text = line.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${MARGIN}" y="${y}"${look} xml:space="preserve">${text}</text>`;
}

const LOOKS: readonly (readonly [RegExp, string])[] = [
  [/^> /, "said"],
  [/^✓ /, "saved"],
  [/^(?:─|●|\(|offline\/|caliban \d)/, "quiet"],
];
