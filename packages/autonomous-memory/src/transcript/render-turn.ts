import { cleanLine } from "./clean-text.ts";
import type { TranscriptTurn } from "./transcript-turn.ts";

const LONGEST_TOOL_NAME = 80;

/**
 * One turn as it stands in the transcript: a heading in the first column, and every line of what was said one column to
 * the right, so that no text can pose as a heading, as another turn, or as the end of the whole.
 */
export function renderTurn(turn: TranscriptTurn): string {
  if (turn.kind === "call") return `${headingOf(turn)} ${cleanLine(turn.text)}`.trimEnd();
  return `${headingOf(turn)}\n${indent(turn.text)}`.trimEnd();
}

/** The line in place of turns that are left out. */
export function renderGap(leftOut: number): string {
  return `[${leftOut} ${leftOut === 1 ? "turn" : "turns"} left out]`;
}

/** The first words of a turn, which say whose it is. */
export function headingOf({ kind, tool = "", isError }: TranscriptTurn): string {
  const name = cleanLine(tool).slice(0, LONGEST_TOOL_NAME).toWellFormed();
  switch (kind) {
    case "user":
    case "assistant":
      return `### ${kind}`;
    case "call":
      return `### call: ${name}`;
    case "result":
      return isError === true ? `### failed result of ${name}` : `### result of ${name}`;
  }
}

function indent(text: string): string {
  return ` ${text.replaceAll(/\n(?!\n|$)/g, "\n ")}`;
}
