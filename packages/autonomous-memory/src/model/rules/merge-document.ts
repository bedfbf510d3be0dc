import type { HandEdit } from "../../generation/memory.ts";
import {
  lineKey,
  type MemoryLine,
  mergeEvidence,
  parseLine,
  renderLine,
  type SectionName,
  SECTIONS,
  citedSessions,
} from "./memory-line.ts";

/** The changes to a document. */
export interface DocumentChanges {
  /** Newest first. */
  readonly added: readonly (MemoryLine & { readonly section: SectionName })[];
  readonly removedSessions: ReadonlySet<string>;
  readonly handEdits: readonly HandEdit[];
}

/** The document with new lines in their sections; unaffected lines stay as they are. */
export function mergeDocument(document: string, changes: DocumentChanges): string {
  const byKey = new Map<string, MemoryLine & { readonly section: SectionName }>();
  for (const line of changes.added) {
    const key = lineKey(line.text);
    const known = byKey.get(key);
    const supports = mergeEvidence(known?.evidence ?? [], line.evidence);
    byKey.set(key, { ...(known ?? line), evidence: supports });
  }
  const hand = indexHandEdits(changes.handEdits);
  const present = new Set<string>();
  const kept = document.split("\n").flatMap((line) => {
    const after = keptLine(line, { ...changes, hand, byKey });
    const parsed = after === undefined ? undefined : parseLine(after);
    if (parsed !== undefined) present.add(lineKey(parsed.text));
    return after ?? [];
  });
  const newLines = [...byKey].flatMap(([key, line]) =>
    present.has(key) || hand.removedKeys.has(key) ? [] : [line],
  );
  return insertLines(kept, newLines);
}

interface HandLines {
  readonly added: ReadonlySet<string>;
  readonly removedKeys: ReadonlySet<string>;
}

/** A line that was removed in one place and added in another only moved. */
export function indexHandEdits(edits: readonly HandEdit[]): HandLines {
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

/** The updated line; `undefined` when it is to be removed. */
function keptLine(line: string, input: KeptLineInput): string | undefined {
  const { hand, removedSessions, byKey } = input;
  const parsed = parseLine(line);
  if (parsed === undefined || hand.added.has(line)) return line;
  const key = lineKey(parsed.text);
  if (hand.removedKeys.has(key)) return undefined;
  if (parsed.evidence.length === 0) {
    return citesOnlyRemoved(line, removedSessions) && !byKey.has(key) ? undefined : line;
  }
  const left = parsed.evidence.filter(({ session }) => !removedSessions.has(session));
  const supports = mergeEvidence(left, byKey.get(key)?.evidence ?? []);
  if (supports.length === 0) return undefined;
  const isSame =
    renderLine({ text: "", evidence: supports }) === renderLine({ ...parsed, text: "" });
  return isSame ? line : renderLine({ text: parsed.text, evidence: supports });
}

/** Whether all sessions that support a line were removed. */
export function citesOnlyRemoved(line: string, removedSessions: ReadonlySet<string>): boolean {
  const sessions = citedSessions(line);
  return sessions.length > 0 && sessions.every((session) => removedSessions.has(session));
}

function insertLines(
  document: readonly string[],
  newLines: readonly (MemoryLine & { readonly section: SectionName })[],
): string {
  let lines = document.join("\n").trim() === "" ? ["# Memory"] : [...document];
  for (const section of Object.keys(SECTIONS)) {
    const own = newLines.filter((line) => line.section === section).map(renderLine);
    if (own.length > 0) lines = withLines(lines, `## ${section}`, own);
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

/** Inserts new lines at the top of their section. */
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
