import { lastUpTo, type Window } from "./window.ts";
import type { CollapsedText } from "./collapsed-lines.ts";

/** Widens a part of a text to whole lines and sentences, where they fit, and else to whole words. */
export function widenWindow({ text, starts }: CollapsedText, core: Window, room: number): Window {
  const from = starts[lastUpTo(starts, core.start)] ?? 0;
  const isWholeFrom = core.end - from <= room;
  const start = isWholeFrom ? from : wordStart(text, leadIn(core, room), core.start);
  const limit = start + room;
  if (limit >= text.length) return { start, end: text.length };
  const next = starts[lastUpTo(starts, limit + 1)] ?? 0;
  const wholeEnd = text[next - 1] === " " ? next - 1 : next;
  // A heading alone says little: rather a part of what stands under it.
  const isEnough = wholeEnd >= core.end && wholeEnd - start >= room / 2;
  return { start, end: isEnough ? wholeEnd : wordEnd(text, limit, Math.max(start, core.end)) };
}

/** What leads to the first match gets a third of the room that is left. */
function leadIn({ start, end }: Window, room: number): number {
  return Math.max(0, start - Math.floor(Math.max(0, room - (end - start)) / 3));
}

function wordStart(text: string, from: number, latest: number): number {
  if (from === 0) return 0;
  const space = text.slice(from - 1, latest).indexOf(" ");
  return wholeCharacter(text, space === -1 ? from : from + space);
}

/** The end of the last whole word; in the middle of one that fills all of the room. */
function wordEnd(text: string, limit: number, earliest: number): number {
  const space = text.slice(earliest, limit + 1).lastIndexOf(" ");
  return wholeCharacter(text, space === -1 ? limit : earliest + space);
}

/** The place itself, or the one before it where it would part the two halves of a character. */
function wholeCharacter(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xff_ff ? at - 1 : at;
}
