import type { TopicVersions } from "./merge-topics.ts";

type MergedHeader =
  | { readonly kind: "merged"; readonly text: string }
  | { readonly kind: "conflict"; readonly keys: readonly string[] };

/** The lines of each key. */
type Keys = ReadonlyMap<string, string>;

/** Merges two headers by key, and the keys inside `metadata`. */
export function mergeHeaders({ base, mine, theirs }: TopicVersions): MergedHeader {
  if (mine === theirs || theirs === base) return { kind: "merged", text: mine };
  if (mine === base) return { kind: "merged", text: theirs };
  const [o, a, b] = [keysOf(base), keysOf(mine), keysOf(theirs)];
  if (o === undefined || a === undefined || b === undefined) {
    return { kind: "conflict", keys: ["header"] };
  }
  const merged = mergeKeys({ base: o, mine: a, theirs: b }, mergeTopLevel);
  if (merged.conflicts.length > 0) return { kind: "conflict", keys: merged.conflicts };
  return { kind: "merged", text: `---\n${merged.lines.join("")}---\n\n` };
}

interface KeyVersions {
  readonly base: Keys;
  readonly mine: Keys;
  readonly theirs: Keys;
}

/** The lines of a key in each version; `undefined` where it is not. */
interface Lines {
  readonly base: string | undefined;
  readonly mine: string | undefined;
  readonly theirs: string | undefined;
}

/** What became of a key that both sides changed. */
type Decide = (key: string, lines: Lines) => Decision;
type Decision = { readonly lines: string | undefined } | { readonly conflicts: readonly string[] };

function mergeKeys(
  { base, mine, theirs }: KeyVersions,
  decide: Decide,
): { readonly lines: readonly string[]; readonly conflicts: readonly string[] } {
  const added = [...new Set([...mine.keys(), ...theirs.keys()])].filter((key) => !base.has(key));
  // The order of both sides must be the same, whichever is mine.
  const keys = [...base.keys(), ...added.toSorted()].toSorted(byGeneratedOrder);
  const decisions = keys.map((key) => {
    const lines = { base: base.get(key), mine: mine.get(key), theirs: theirs.get(key) };
    return decideSimply(lines) ?? decide(key, lines);
  });
  return {
    lines: decisions.flatMap((decision) => ("lines" in decision ? (decision.lines ?? []) : [])),
    conflicts: decisions.flatMap((decision) => ("conflicts" in decision ? decision.conflicts : [])),
  };
}

const FIRST_KEYS = ["name", "description"];
const LAST_KEY = "metadata";

function byGeneratedOrder(one: string, other: string): number {
  return rank(one) - rank(other);
}

function rank(key: string): number {
  const index = FIRST_KEYS.indexOf(key);
  if (index !== -1) return index;
  return key === LAST_KEY ? FIRST_KEYS.length + 1 : FIRST_KEYS.length;
}

function decideSimply({ base, mine, theirs }: Lines): Decision | undefined {
  if (mine === theirs || theirs === base) return { lines: mine };
  return mine === base ? { lines: theirs } : undefined;
}

function mergeTopLevel(key: string, { base, mine, theirs }: Lines): Decision {
  const conflict = { conflicts: [key] };
  if (key !== LAST_KEY || mine === undefined || theirs === undefined) return conflict;
  const [o, a, b] = [nestedKeysOf(base ?? "metadata:\n"), nestedKeysOf(mine), nestedKeysOf(theirs)];
  if (o === undefined || a === undefined || b === undefined) return conflict;
  const merged = mergeKeys({ base: o, mine: a, theirs: b }, mergeNested);
  if (merged.conflicts.length > 0) return merged;
  return { lines: `metadata:\n${merged.lines.join("")}` };
}

/** About the last write, of which there were two. */
const OF_LAST_WRITE: ReadonlySet<string> = new Set(["updated", "session", "after", "origin"]);

function mergeNested(key: string, { mine = "", theirs = "" }: Lines): Decision {
  if (!OF_LAST_WRITE.has(key)) return { conflicts: [`metadata.${key}`] };
  // For times, this is the later one.
  return { lines: mine > theirs ? mine : theirs };
}

const TOP_LEVEL = /^([A-Za-z_][\w-]*)[ \t]*:(?:\s|$)/;
const NESTED = /^ {2}([A-Za-z_][\w-]*)[ \t]*:(?:\s|$)/;

/** `undefined` for a header whose keys cannot be told apart by their lines. */
function keysOf(header: string): Keys | undefined {
  if (header === "") return new Map();
  return groupLines(header.replace(/^---\n/, "").replace(/---\n*$/, ""), TOP_LEVEL);
}

function nestedKeysOf(lines: string): Keys | undefined {
  const [first, ...rest] = lines.split(/(?<=\n)/);
  return first?.trim() === "metadata:" ? groupLines(rest.join(""), NESTED) : undefined;
}

function groupLines(text: string, start: RegExp): Keys | undefined {
  // Anchors and aliases tie keys together.
  if (/(?:^|[\s[{,])[&*][^\s,\]}]/m.test(text)) return undefined;
  const keys = new Map<string, string>();
  let current: string | undefined;
  for (const line of text.match(/[^\n]*\n/g) ?? []) {
    const key = start.exec(line)?.[1];
    if (key === undefined ? !/^[ \t]/.test(line) : keys.has(key)) return undefined;
    current = key ?? current;
    if (current === undefined) return undefined;
    keys.set(current, (keys.get(current) ?? "") + line);
  }
  return keys;
}
