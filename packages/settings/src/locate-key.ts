import { type AST, parseTOML } from "toml-eslint-parser";

interface Location {
  readonly line: number;
  readonly column: number;
}

export type KeyLocator = (segments: readonly string[]) => Location | undefined;

/** Finds where keys stand in a TOML text, which is parsed once, on the first question. Both count from 1. */
export function createKeyLocator(text: string): KeyLocator {
  let places: ReadonlyMap<string, Location> | undefined;
  return (segments) => {
    places ??= keyPlaces(text);
    return places.get(segments.join("\0"));
  };
}

interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The lines that a key has for itself with its value: not those of a table, nor inside an inline one. */
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

/** No key of ours is nested deeper, and naming every step of a long one takes quadratic time. */
const MAX_DEPTH = 8;

type Entry = AST.TOMLKeyValue | AST.TOMLTable;

function keyPlaces(text: string): ReadonlyMap<string, Location> {
  const places = new Map<string, Location>();
  try {
    const [top] = parseTOML(text).body;
    for (const entry of top.body) addPlaces(entry, [], places);
  } catch (error) {
    // What one parser takes the other may not (a date that does not exist, a very long value).
    // Then a message goes without its line, which is better than no message.
    if (!(error instanceof Error)) throw error;
  }
  return places;
}

function addPlaces(entry: Entry, above: readonly string[], places: Map<string, Location>): void {
  const path = [...above, ...keyNames(entry)];
  const place = { line: entry.loc.start.line, column: entry.loc.start.column + 1 };
  // A dotted key or table header also introduces every table on its way; the first place counts.
  for (let length = above.length + 1; length <= Math.min(path.length, MAX_DEPTH); length++) {
    const name = path.slice(0, length).join("\0");
    if (!places.has(name)) places.set(name, place);
  }
  for (const below of entriesBelow(entry)) addPlaces(below, path, places);
}

function entriesBelow(entry: Entry): readonly Entry[] {
  if (entry.type === "TOMLTable") return entry.body;
  return entry.value.type === "TOMLInlineTable" ? entry.value.body : [];
}

function keyNames(entry: Entry): readonly string[] {
  return entry.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
}
