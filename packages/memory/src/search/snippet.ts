import { tokenize } from "./tokenize.ts";

const MOST_CHARACTERS = 160;

/** The line of a body that holds most of the wanted words, shortened around the first of them. */
export function snippetOf(body: string, query: string): string {
  const wanted = new Set(tokenize(query));
  let best = { line: "", hits: -1 };
  for (const line of body.split("\n")) {
    if (line.trim() === "") continue;
    const hits = new Set(tokenize(line).filter((word) => wanted.has(word))).size;
    if (hits > best.hits) best = { line: line.trim(), hits };
  }
  return shortened(best.line, wanted);
}

function shortened(line: string, wanted: ReadonlySet<string>): string {
  const characters = Array.from(line);
  if (characters.length <= MOST_CHARACTERS) return line;
  const lower = line.toLowerCase();
  const at = Math.min(
    ...[...wanted].map((word) => lower.indexOf(word)).filter((place) => place !== -1),
  );
  const start = Number.isFinite(at)
    ? Math.max(0, Math.min(at - 40, characters.length - MOST_CHARACTERS))
    : 0;
  const part = characters.slice(start, start + MOST_CHARACTERS).join("");
  return `${start > 0 ? "…" : ""}${part}${start + MOST_CHARACTERS < characters.length ? "…" : ""}`;
}
