import type { HandEdit } from "../consolidation/consolidation-task.ts";
import {
  lineKey,
  type MemoryLine,
  mergeSupports,
  parseLine,
  renderLine,
  type SectionName,
  SECTIONS,
  sessionsIn,
} from "./memory-line.ts";

/** What changes a document. */
export interface DocumentChanges {
  /** Newest first. */
  readonly added: readonly (MemoryLine & { readonly section: SectionName })[];
  readonly removedSessions: ReadonlySet<string>;
  readonly handEdits: readonly HandEdit[];
}

/** The document with new lines under their sections; every line that nothing bears on stays as it is. */
export function mergeDocument(document: string, changes: DocumentChanges): string {
  const byKey = new Map<string, MemoryLine & { readonly section: SectionName }>();
  for (const line of changes.added) {
    const key = lineKey(line.text);
    const known = byKey.get(key);
    const supports = mergeSupports(known?.supports ?? [], line.supports);
    byKey.set(key, { ...(known ?? line), supports });
  }
  const hand = handEditsOf(changes.handEdits);
  const present = new Set<string>();
  const kept = document.split("\n").flatMap((line) => {
    const after = keptLine(line, { ...changes, hand, byKey });
    const parsed = after === undefined ? undefined : parseLine(after);
    if (parsed !== undefined) present.add(lineKey(parsed.text));
    return after ?? [];
  });
  const fresh = [...byKey].flatMap(([key, line]) =>
    present.has(key) || hand.removedKeys.has(key) ? [] : [line],
  );
  return placeLines(kept, fresh);
}

interface HandLines {
  readonly added: ReadonlySet<string>;
  readonly removedKeys: ReadonlySet<string>;
}

/** What was removed in one place and added in another has only moved. */
export function handEditsOf(edits: readonly HandEdit[]): HandLines {
  const added = edits.flatMap(({ addedLines }) => addedLines);
  const addedKeys = new Set(added.map(keyOfLine));
  const removed = edits.flatMap(({ removedLines }) => removedLines).map(keyOfLine);
  return {
    added: new Set(added),
    removedKeys: new Set(removed.filter((key) => key !== "" && !addedKeys.has(key))),
  };
}

function keyOfLine(line: string): string {
  const text = parseLine(line)?.text;
  return text === undefined ? "" : lineKey(text);
}

interface KeptLineInput extends DocumentChanges {
  readonly hand: HandLines;
  readonly byKey: ReadonlyMap<string, MemoryLine>;
}

/** The line as it is to be; nothing when it is to go. */
function keptLine(line: string, input: KeptLineInput): string | undefined {
  const { hand, removedSessions, byKey } = input;
  const parsed = parseLine(line);
  if (parsed === undefined || hand.added.has(line)) return line;
  const key = lineKey(parsed.text);
  if (hand.removedKeys.has(key)) return undefined;
  if (parsed.supports.length === 0) {
    return namesOnlyRemoved(line, removedSessions) && !byKey.has(key) ? undefined : line;
  }
  const left = parsed.supports.filter(({ session }) => !removedSessions.has(session));
  const supports = mergeSupports(left, byKey.get(key)?.supports ?? []);
  if (supports.length === 0) return undefined;
  const isSame = renderLine({ text: "", supports }) === renderLine({ ...parsed, text: "" });
  return isSame ? line : renderLine({ text: parsed.text, supports });
}

/** Whether all that supports a line are sessions that were removed. */
export function namesOnlyRemoved(line: string, removedSessions: ReadonlySet<string>): boolean {
  const sessions = sessionsIn(line);
  return sessions.length > 0 && sessions.every((session) => removedSessions.has(session));
}

function placeLines(
  document: readonly string[],
  fresh: readonly (MemoryLine & { readonly section: SectionName })[],
): string {
  let lines = document.join("\n").trim() === "" ? ["# Memory"] : [...document];
  for (const section of Object.keys(SECTIONS)) {
    const own = fresh.filter((line) => line.section === section).map(renderLine);
    if (own.length > 0) lines = withLines(lines, `## ${section}`, own);
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

/** New lines stand first in their section. */
function withLines(
  document: readonly string[],
  heading: string,
  lines: readonly string[],
): string[] {
  const at = document.findIndex((line) => line.trimEnd() === heading);
  if (at === -1)
    return [...`${document.join("\n").trimEnd()}\n\n${heading}\n`.split("\n"), ...lines];
  const isSpaced = document[at + 1]?.trim() === "";
  const from = isSpaced ? at + 2 : at + 1;
  return [...document.slice(0, from), ...lines, ...document.slice(from)];
}
