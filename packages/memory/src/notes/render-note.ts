import { terminalSafeLine } from "@caliban/common";
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

/** Renders a note in its frame, for the end of a message or of a tool's result. */
export function renderNote({ note, nonce, nowMs }: RenderNoteInput): string {
  const source = escapeAttribute(formatNoteSource(note.source, nowMs));
  const address = escapeAttribute(note.source.address);
  const was = note.was === undefined ? "" : ` (was: ${oneLine(note.was.text)})`;
  return `<${NOTE_TAG} source="${source}" address="${address}" nonce="${nonce}">\n${oneLine(note.text)}${was}\n</${NOTE_TAG}>`;
}

/** Where a note comes from, for people and models: `topic deploy, 3 days ago`. */
export function formatNoteSource(source: NoteSource, nowMs: number): string {
  const age = source.atMs === undefined ? "" : `, ${formatAge(source.atMs, nowMs)}`;
  if (source.kind === "topic") return `topic ${source.slug}${age}`;
  if (source.kind === "learned") return `learned memory ${source.name}${age}`;
  return `session ${source.session}${age}`;
}

function oneLine(text: string): string {
  return sanitize(terminalSafeLine(text.replace(/\s+/gu, " ").trim()));
}

function escapeAttribute(text: string): string {
  return terminalSafeLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
