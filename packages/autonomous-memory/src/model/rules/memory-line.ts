import { cleanLine } from "../../text/clean-text.ts";

/** The sections of the document in order, and the kinds of lines in each. */
export const SECTIONS = {
  "Preferences and rules": ["preference", "constraint", "decision", "environment"],
  Corrections: ["correction", "pitfall"],
  "Commands that worked": ["procedure"],
} as const;

export type SectionName = keyof typeof SECTIONS;

/** A session that supports a line, and its day. */
export interface Evidence {
  readonly session: string;
  readonly day: string;
}

/** One line of a memory. */
export interface MemoryLine {
  readonly text: string;
  /** Newest first; empty for a line that the user or a model wrote in another form. */
  readonly evidence: readonly Evidence[];
}

const BULLET = /^\s{0,3}[-*+]\s+(?<text>\S.*)$/u;
const KIND = /^\[(?<kind>[\w -]{1,30})\]\s+/u;
const TAIL =
  /\s\((?<tail>session [\w-]{1,100}, \d{4}-\d\d-\d\d(?:; session [\w-]{1,100}, \d{4}-\d\d-\d\d){0,20})\)$/u;
const OTHER_EVIDENCE = /\s*\([^()]*\bsession\b[^()]*\)\s*$/u;
const MAX_EVIDENCE = 8;
const MAX_LINE_CHARS = 1_000;
/** The patterns below scan to the end from many positions, so their input is limited. */
const MAX_KEY_CHARS = 2_000;

/** The line as Markdown, without its kind. */
export function renderLine({ text, evidence: supports }: MemoryLine): string {
  const tail = supports.map(({ session, day }) => `session ${session}, ${day}`).join("; ");
  return tail === "" ? `- ${text}` : `- ${text} (${tail})`;
}

/** Parses a list item; `undefined` for any other line. */
export function parseLine(line: string): MemoryLine | undefined {
  const text = BULLET.exec(line)?.groups?.["text"]?.trimEnd();
  if (text === undefined) return undefined;
  const tail = TAIL.exec(text)?.groups?.["tail"];
  if (tail === undefined) return { text, evidence: [] };
  const supports = tail.split("; ").map((support) => {
    const [session = "", day = ""] = support.replace(/^session /u, "").split(", ");
    return { session, day };
  });
  return { text: text.replace(TAIL, ""), evidence: supports };
}

/** The lines of an extraction, whichever extractor wrote it, each with its section. */
export function parseRawMemory(
  rawMemory: string,
  evidence: Evidence,
): readonly (MemoryLine & { readonly section: SectionName })[] {
  return rawMemory.split("\n").flatMap((line) => {
    const parsed = parseLine(line);
    if (parsed === undefined) return [];
    const kind = KIND.exec(parsed.text)?.groups?.["kind"]?.toLowerCase() ?? "";
    const full = cleanLine(parsed.text.replace(KIND, ""));
    if (full === "") return [];
    const text =
      full.length > MAX_LINE_CHARS ? `${full.slice(0, MAX_LINE_CHARS).toWellFormed()}…` : full;
    return [{ text, evidence: [evidence], section: sectionOf(kind) }];
  });
}

function sectionOf(kind: string): SectionName {
  const kinds: readonly string[] = SECTIONS.Corrections;
  if (kinds.includes(kind)) return "Corrections";
  return kind === "procedure" ? "Commands that worked" : "Preferences and rules";
}

/** Lines with the same key say the same: case, spaces, evidence and final punctuation do not count. */
export function lineKey(text: string): string {
  return text
    .slice(0, MAX_KEY_CHARS)
    .replace(OTHER_EVIDENCE, "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .replace(/^[\s"'“”]+/u, "")
    .replace(/[\s"'“”.!,;:]+$/u, "");
}

/** The union, newest first, each session once, up to a maximum. */
export function mergeEvidence(
  one: readonly Evidence[],
  other: readonly Evidence[],
): readonly Evidence[] {
  const bySession = new Map<string, Evidence>();
  for (const support of [...one, ...other]) {
    const known = bySession.get(support.session);
    if (known === undefined || known.day < support.day) bySession.set(support.session, support);
  }
  return [...bySession.values()]
    .toSorted((a, b) => compare(b.day, a.day) || compare(a.session, b.session))
    .slice(0, MAX_EVIDENCE);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The sessions that a line names, in any form. */
export function citedSessions(line: string): readonly string[] {
  return [...line.matchAll(/\bsession:? ([\w-]{1,100})/giu)].map(([, session = ""]) => session);
}
