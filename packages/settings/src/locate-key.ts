import { type AST, parseTOML } from "toml-eslint-parser";

export interface Location {
  readonly line: number;
  readonly column: number;
}

/** Where a key stands in a TOML text that parses. Both count from 1. */
export function locateKey(text: string, segments: readonly string[]): Location | undefined {
  const [top] = parseTOML(text).body;
  const node = findInBody(top.body, [], segments.join("\0"));
  return node && { line: node.loc.start.line, column: node.loc.start.column + 1 };
}

type Entry = AST.TOMLKeyValue | AST.TOMLTable;

function findInBody(
  body: readonly Entry[],
  above: readonly string[],
  wanted: string,
): Entry | undefined {
  for (const entry of body) {
    const found = findInEntry(entry, above, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInEntry(entry: Entry, above: readonly string[], wanted: string): Entry | undefined {
  const path = [...above, ...keyNames(entry)];
  // A dotted key or table header also introduces every table on its way.
  if (path.some((_, index) => path.slice(0, index + 1).join("\0") === wanted)) return entry;
  if (entry.type === "TOMLTable") return findInBody(entry.body, path, wanted);
  return entry.value.type === "TOMLInlineTable"
    ? findInBody(entry.value.body, path, wanted)
    : undefined;
}

function keyNames(entry: Entry): readonly string[] {
  return entry.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
}
