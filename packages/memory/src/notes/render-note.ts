import { terminalSafeLine } from "@caliban/common";
import { checkArguments } from "../check-arguments.ts";
import { sanitize } from "../prompt/sanitize.ts";
import { NOTE_TAG } from "../prompt/tier.ts";
import { formatAge } from "../topics/age.ts";
import type { Note, NoteSource } from "./note.ts";

export interface RenderNoteInput {
  readonly note: Note;
  /** The nonce of the session, so that no file or command can forge a note. */
  readonly nonce: string;
  readonly nowMs: number;
}

/** Renders a note in its frame, for the end of a message or of a tool's result. It is data to consider, not a command. */
export function renderNote(input: RenderNoteInput): string {
  checkArguments("renderNote", input, { note: "object", nonce: "string", nowMs: "number" });
  const { note, nonce, nowMs } = input;
  const { source, was } = note;
  const from = escapeAttribute(formatNoteSource(source, nowMs));
  const address = escapeAttribute(source.address);
  const before =
    was === undefined ? "" : ` (was until ${formatDay(was.untilMs)}: ${oneLine(was.text)})`;
  return `<${NOTE_TAG} source="${from}" address="${address}" nonce="${nonce}">\nFrom memory, to be verified: ${oneLine(note.text)}${before}\n</${NOTE_TAG}>`;
}

/** Where a note comes from, for people and models: `topic deploy, 3 days ago`, `decided on 2026-08-10, session …`. */
function formatNoteSource(source: NoteSource, nowMs: number): string {
  const { atMs } = source;
  const age = atMs === undefined ? "" : `, ${formatAge(atMs, nowMs)}`;
  switch (source.kind) {
    case "topic": {
      const state = source.evidence === undefined ? "" : (EVIDENCE[source.evidence] ?? "");
      const by = source.author === undefined ? "" : ` shared by ${shortAuthor(source.author)}`;
      return `topic ${source.slug}${by}${age}${state}`;
    }
    case "learned":
      return `learned memory ${source.name}${age}`;
    case "session": {
      const agent = source.agent === "caliban" ? "" : ` of ${source.agent}`;
      const day = atMs === undefined ? "" : `decided on ${formatDay(atMs)}, `;
      return `${day}session ${source.session}${agent}`;
    }
  }
}

const MAX_AUTHOR_CHARACTERS = 60;

function shortAuthor(author: string): string {
  const line = author.replace(/\s+/gu, " ").trim();
  return Array.from(line).slice(0, MAX_AUTHOR_CHARACTERS).join("");
}

/** What the user or model should know about the files that support a topic. */
const EVIDENCE: Readonly<Record<string, string>> = {
  moved: "; its evidence moved",
  changed: "; its evidence changed",
  gone: "; its evidence is gone",
};

/** In UTC, like the dates of search results. */
function formatDay(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? "an unknown day" : date.toISOString().slice(0, 10);
}

/** On one line, so that nothing in it looks like the end of the frame. */
function oneLine(text: string): string {
  return sanitize(terminalSafeLine(text.toWellFormed().replace(/\s+/gu, " ").trim()));
}

function escapeAttribute(text: string): string {
  return terminalSafeLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
