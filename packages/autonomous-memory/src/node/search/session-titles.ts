import { isSessionId, titleOf } from "@caliban/sessions";
import { type SessionSummary, streamTurns, summarizeSession } from "@caliban/sessions/node";
import { sanitizeText } from "./sanitize-text.ts";
import type { Transcript } from "./transcripts.ts";

/** Returns the title of a session. */
export type SessionTitles = (transcript: Transcript) => Promise<string>;

/**
 * Titles sessions by the name that the user gave, or else by the user's first words, without secrets. Reads each
 * session once, until it changes. The titles throw SessionsError.
 */
export function createSessionTitles(): SessionTitles {
  const known = new Map<
    string,
    { readonly fingerprint: string; readonly title: Promise<string> }
  >();
  return async (transcript) => {
    const { key, fingerprint } = transcript;
    const before = known.get(key);
    if (before?.fingerprint === fingerprint) return await before.title;
    const title = readTitle(transcript);
    known.set(key, { fingerprint, title });
    return await title;
  };
}

async function readTitle(transcript: Transcript): Promise<string> {
  const { name, title = "" } = storedTitles(transcript);
  if (name !== undefined) return titleOf(await sanitizeText(name));
  const text = await firstUserText(transcript);
  // A stored title is truncated, and half a secret is not recognized. So the text itself is used wherever it exists.
  const isTitleOfText = title === "" || title === titleOf(text ?? "");
  const complete = text !== undefined && isTitleOfText ? text : withoutCutWord(title);
  return titleOf(await sanitizeText(complete));
}

function storedTitles({
  key,
  path,
  format,
}: Transcript): Partial<Pick<SessionSummary, "name" | "title">> {
  return format === "caliban" && isSessionId(key) ? summarizeSession(key, path) : {};
}

/** A longer word at the end may be the rest of a secret. */
const MAX_LAST_WORD_CHARACTERS = 20;
/** No title of ours is longer. */
const MAX_TITLE_CHARACTERS = 200;

/** A title whose text no longer exists, without a last word that may be the start of a longer one. */
function withoutCutWord(title: string): string {
  const line = title.slice(0, MAX_TITLE_CHARACTERS).replaceAll(/\s+/g, " ").trim();
  const isCut = line.endsWith("…") || title.length > MAX_TITLE_CHARACTERS;
  const lastWord = line.slice(line.lastIndexOf(" ") + 1);
  if (!isCut && lastWord.length <= MAX_LAST_WORD_CHARACTERS) return line;
  return `${line.slice(0, line.length - lastWord.length).trimEnd()}…`;
}

/** Limits how much of a very long file without any user message is read. */
const MAX_READS = 16;

async function firstUserText({ path, format }: Transcript): Promise<string | undefined> {
  let reads = 0;
  for await (const turns of streamTurns({ path, format })) {
    const text = turns.find(({ role }) => role === "user")?.text;
    if (text !== undefined) return text;
    if (++reads === MAX_READS) break;
  }
  return undefined;
}
