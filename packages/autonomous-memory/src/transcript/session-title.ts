import { cleanLine } from "../text/clean-text.ts";
import type { TranscriptTurn } from "./transcript-turn.ts";

const MAX_TITLE_CHARS = 160;

/** The start of the user's first message, in one line; empty if there is none. */
export function titleOf(turns: readonly TranscriptTurn[]): string {
  const first = turns.find(({ kind, text }) => kind === "user" && text.trim() !== "")?.text ?? "";
  const line = cleanLine(first.slice(0, MAX_TITLE_CHARS * 4));
  return line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS).toWellFormed()}…` : line;
}

/** A summary that says no more than the title. */
export function startedWith(title: string): string {
  return title === "" ? "" : `The user started with: ${title}`;
}
