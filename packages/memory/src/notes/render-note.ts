import { terminalSafeLine } from "@caliban/common";
import { checkArguments } from "../check-arguments.ts";
import { formatAge } from "../topics/age.ts";
import type { EvidenceState } from "../topics/evidence-state.ts";
import type { Note, NoteSource } from "./note.ts";

export interface RenderNoteInput {
  readonly note: Note;
  /** Of the session, so that no file and no memory can forge a note; left out if there is none. */
  readonly nonce?: string | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/**
 * A note as one line: `[memory: topic deploy, 3 days ago: Run migrations first. Was "…" until 2026-08-10.]`. Nothing in it
 * can end it, open a tag or control a terminal.
 *
 * @example
 * import { renderNote } from "@caliban/memory";
 *
 * const note = {
 *   text: "Run migrations before pnpm ship.",
 *   source: { kind: "topic", slug: "deploy", address: "memory://topics/deploy", atMs: 0 },
 *   why: { match: "applies", score: 1, terms: [] },
 * } as const;
 * console.log(renderNote({ note, nowMs: 0 })); // [memory: topic deploy, today: Run migrations before pnpm ship.]
 */
export function renderNote({ note, nonce, nowMs }: RenderNoteInput): string {
  checkArguments("renderNote", { note, nowMs }, { note: "object", nowMs: "number" });
  const { text, was, source } = note;
  const before =
    was === undefined
      ? ""
      : ` Was "${sanitizeText(was.text)}" until ${dayOf(was.untilMs) ?? "then"}.`;
  const state = source.kind === "topic" ? EVIDENCE[source.evidence ?? "ok"] : "";
  const frame = nonce === undefined ? "" : `; nonce ${sanitizeText(nonce)}`;
  return `[memory: ${describeSource(source, nowMs)}${state}: ${sanitizeText(text)}${before}${frame}]`;
}

const EVIDENCE: Readonly<Record<EvidenceState, string>> = {
  ok: "",
  moved: ", what it refers to has moved",
  changed: ", the file it refers to has changed",
  gone: ", the file it refers to is gone",
};

function describeSource(source: NoteSource, nowMs: number): string {
  if (source.kind === "session") {
    const day = dayOf(source.atMs);
    const said = day === undefined ? "decided" : `decided on ${day}`;
    return `${said}, session ${sanitizeText(source.session)}`;
  }
  const name =
    source.kind === "topic"
      ? `topic ${sanitizeText(source.slug)}`
      : `learned, ${sanitizeText(source.name)}`;
  const { atMs } = source;
  return atMs === undefined || dayOf(atMs) === undefined
    ? name
    : `${name}, ${formatAge(atMs, nowMs)}`;
}

/** The limit of a JavaScript date. */
const MAX_TIME_MS = 8.64e15;

/** In UTC; `undefined` for a time that a date cannot represent. */
function dayOf(atMs: number | undefined): string | undefined {
  if (atMs === undefined || !(Math.abs(atMs) <= MAX_TIME_MS)) return undefined;
  const time = new Date(atMs).toISOString();
  return time.slice(0, time.indexOf("T"));
}

/** Puts a text on one line and replaces anything that could end the note or open a tag. */
function sanitizeText(text: string): string {
  return terminalSafeLine(text.toWellFormed().replace(/\s+/gu, " "))
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .trim();
}
