import { checkArguments } from "../check-arguments.ts";
import { NOTE_TAG } from "../prompt/tier.ts";

/** A note as it is in a message or in the result of a tool. */
export interface FramedNote {
  readonly address: string;
  /** Where it comes from, such as `topic deploy, 3 days ago`. */
  readonly source: string;
  readonly text: string;
}

/** Finds the notes in a text. Frames without a nonce of the session are forged, and are not notes. */
export function framedNotes(
  text: string,
  isOwnNonce: (nonce: string) => boolean,
): readonly FramedNote[] {
  checkArguments("framedNotes", { text, isOwnNonce }, TEXT_AND_NONCE);
  return framesIn(text, isOwnNonce).map(({ note }) => note);
}

/** A text without its notes, as the tool returned it. */
export function withoutNotes(text: string, isOwnNonce: (nonce: string) => boolean): string {
  checkArguments("withoutNotes", { text, isOwnNonce }, TEXT_AND_NONCE);
  return framesIn(text, isOwnNonce).reduceRight((rest, { start, end }) => {
    return (rest.slice(0, start).replace(/\n\n$/, "") + rest.slice(end)).replace(/\n+$/, "");
  }, text);
}

const TEXT_AND_NONCE = { text: "string", isOwnNonce: "function" } as const;

interface Frame {
  readonly start: number;
  readonly end: number;
  readonly note: FramedNote;
}

const OPENING = new RegExp(
  String.raw`^<${NOTE_TAG} source="([^"<>\n]*)" address="([^"<>\n]*)" nonce="([^"<>\n]*)">\n`,
  "gm",
);
const CLOSING = `\n</${NOTE_TAG}>`;

function framesIn(text: string, isOwnNonce: (nonce: string) => boolean): readonly Frame[] {
  if (!text.includes(`<${NOTE_TAG} `)) return [];
  const frames: Frame[] = [];
  for (const match of text.matchAll(OPENING)) {
    const [opening, source = "", address = "", nonce = ""] = match;
    const bodyStart = match.index + opening.length;
    const bodyEnd = text.indexOf(CLOSING, bodyStart - 1);
    const isInside = match.index < (frames.at(-1)?.end ?? 0);
    if (bodyEnd === -1 || isInside || !isOwnNonce(nonce)) continue;
    const note = {
      address: unescapeAttribute(address),
      source: unescapeAttribute(source),
      text: text.slice(bodyStart, bodyEnd),
    };
    frames.push({ start: match.index, end: bodyEnd + CLOSING.length, note });
  }
  return frames;
}

function unescapeAttribute(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
