import { cleanLine } from "../transcript/clean-text.ts";

/** The sections that lines go to, in their order, and the kinds that go there. */
export const SECTIONS = {
  "Preferences and rules": ["preference", "constraint", "decision", "environment"],
  Corrections: ["correction", "pitfall"],
  "Commands that worked": ["procedure"],
} as const;

export type SectionName = keyof typeof SECTIONS;

/** A session that a line comes from, and its day. */
export interface Support {
  readonly session: string;
  readonly day: string;
}

/** One line of a memory. */
export interface MemoryLine {
  readonly text: string;
  /** Newest first; none for a line that a person or a model wrote in another form. */
  readonly supports: readonly Support[];
}

const BULLET = /^\s{0,3}[-*+]\s+(?<text>\S.*)$/u;
const KIND = /^\[(?<kind>[\w -]{1,30})\]\s+/u;
const TAIL =
  /\s\((?<tail>session [\w-]{1,100}, \d{4}-\d\d-\d\d(?:; session [\w-]{1,100}, \d{4}-\d\d-\d\d){0,20})\)$/u;
const FOREIGN_EVIDENCE = /\s*\([^()]*\bsession\b[^()]*\)\s*$/u;
const MOST_SUPPORTS = 8;
const LONGEST = 1_000;
/** Patterns below look at the end from many places, so they get no more than this. */
const LONGEST_KEY = 2_000;

/** The line as Markdown, without its kind. */
export function renderLine({ text, supports }: MemoryLine): string {
  const tail = supports.map(({ session, day }) => `session ${session}, ${day}`).join("; ");
  return tail === "" ? `- ${text}` : `- ${text} (${tail})`;
}

/** Reads a list item; nothing for any other line. */
export function parseLine(line: string): MemoryLine | undefined {
  const text = BULLET.exec(line)?.groups?.["text"]?.trimEnd();
  if (text === undefined) return undefined;
  const tail = TAIL.exec(text)?.groups?.["tail"];
  if (tail === undefined) return { text, supports: [] };
  const supports = tail.split("; ").map((support) => {
    const [session = "", day = ""] = support.replace(/^session /u, "").split(", ");
    return { session, day };
  });
  return { text: text.replace(TAIL, ""), supports };
}

/** The lines of what was extracted from a session, by whomever, each with its section. */
export function parseRawMemory(
  rawMemory: string,
  support: Support,
): readonly (MemoryLine & { readonly section: SectionName })[] {
  return rawMemory.split("\n").flatMap((line) => {
    const parsed = parseLine(line);
    if (parsed === undefined) return [];
    const kind = KIND.exec(parsed.text)?.groups?.["kind"]?.toLowerCase() ?? "";
    const whole = cleanLine(parsed.text.replace(KIND, ""));
    if (whole === "") return [];
    const text = whole.length > LONGEST ? `${whole.slice(0, LONGEST).toWellFormed()}…` : whole;
    return [{ text, supports: [support], section: sectionOf(kind) }];
  });
}

function sectionOf(kind: string): SectionName {
  const kinds: readonly string[] = SECTIONS.Corrections;
  if (kinds.includes(kind)) return "Corrections";
  return kind === "procedure" ? "Commands that worked" : "Preferences and rules";
}

/** Two lines with one key say the same: case, spaces, evidence and the point at the end do not count. */
export function lineKey(text: string): string {
  return text
    .slice(0, LONGEST_KEY)
    .replace(FOREIGN_EVIDENCE, "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .replace(/^[\s"'“”]+/u, "")
    .replace(/[\s"'“”.!,;:]+$/u, "");
}

/** Both, newest first, each session once, as many as are of use. */
export function mergeSupports(
  one: readonly Support[],
  other: readonly Support[],
): readonly Support[] {
  const bySession = new Map<string, Support>();
  for (const support of [...one, ...other]) {
    const known = bySession.get(support.session);
    if (known === undefined || known.day < support.day) bySession.set(support.session, support);
  }
  return [...bySession.values()]
    .toSorted((a, b) => compare(b.day, a.day) || compare(a.session, b.session))
    .slice(0, MOST_SUPPORTS);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The sessions that a line names, in whatever form. */
export function sessionsIn(line: string): readonly string[] {
  return [...line.matchAll(/\bsession:? ([\w-]{1,100})/giu)].map(([, session = ""]) => session);
}
