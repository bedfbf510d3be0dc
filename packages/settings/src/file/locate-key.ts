import { type AST, parseTOML } from "toml-eslint-parser";

interface Location {
  readonly line: number;
  readonly column: number;
}

export type KeyLocator = (segments: readonly string[]) => Location | undefined;

/** Finds the positions of keys in a TOML text, which is parsed on first use. Both count from 1. */
export function createKeyLocator(text: string): KeyLocator {
  let locations: ReadonlyMap<string, Location> | undefined;
  return (segments) => {
    locations ??= keyLocations(text);
    return locations.get(segments.join("\0"));
  };
}

interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The lines of a key and its value; `undefined` for a table and for a key inside an inline table. */
export function linesOfKey(text: string, segments: readonly string[]): LineRange | undefined {
  const [top] = parseTOML(text).body;
  const tables = top.body.filter((entry) => entry.type === "TOMLTable");
  const ranges = new Map([
    ...keyLines(top.body, []),
    ...tables.flatMap((table) => keyLines(table.body, keyNames(table))),
  ]);
  return ranges.get(segments.join("\0"));
}

function keyLines(
  entries: readonly Entry[],
  above: readonly string[],
): readonly (readonly [string, LineRange])[] {
  return entries
    .filter((entry) => entry.type === "TOMLKeyValue")
    .map((entry) => [
      [...above, ...keyNames(entry)].join("\0"),
      { first: entry.loc.start.line, last: entry.loc.end.line },
    ]);
}

/** No setting is nested deeper, and naming every step of a long key takes quadratic time. */
const MAX_DEPTH = 8;

type Entry = AST.TOMLKeyValue | AST.TOMLTable;

function keyLocations(text: string): ReadonlyMap<string, Location> {
  const locations = new Map<string, Location>();
  try {
    const [top] = parseTOML(text).body;
    for (const entry of top.body) addLocations(entry, [], locations);
  } catch (error) {
    // This parser rejects some texts that the other one accepts (a date that does not exist, a very long value).
    // A message without a line is better than no message.
    if (!(error instanceof Error)) throw error;
  }
  return locations;
}

function addLocations(
  entry: Entry,
  above: readonly string[],
  locations: Map<string, Location>,
): void {
  const path = [...above, ...keyNames(entry)];
  const location = { line: entry.loc.start.line, column: entry.loc.start.column + 1 };
  // A dotted key or table header also introduces every table in between; the first position counts.
  for (let length = above.length + 1; length <= Math.min(path.length, MAX_DEPTH); length++) {
    const name = path.slice(0, length).join("\0");
    if (!locations.has(name)) locations.set(name, location);
  }
  for (const below of entriesBelow(entry)) addLocations(below, path, locations);
}

function entriesBelow(entry: Entry): readonly Entry[] {
  if (entry.type === "TOMLTable") return entry.body;
  return entry.value.type === "TOMLInlineTable" ? entry.value.body : [];
}

function keyNames(entry: Entry): readonly string[] {
  return entry.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
}
