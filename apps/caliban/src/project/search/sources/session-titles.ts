import { isSessionId, titleOf } from "@caliban/sessions";
import { type SessionSummary, streamTurns, summarizeSession } from "@caliban/sessions/node";
import { redactText } from "./redact-text.ts";
import type { Transcript } from "./transcripts.ts";

/** What sessions are called. */
export interface SessionTitles {
  /** The name that the person gave, or else their first words; without secrets. @throws SessionsError */
  readonly of: (transcript: Transcript) => Promise<string>;
}

/** Looks at each session once, as long as it stays as it is. */
export function createSessionTitles(): SessionTitles {
  const known = new Map<string, { readonly sign: string; readonly title: Promise<string> }>();
  return {
    of: async (transcript) => {
      const { key, fingerprint: sign } = transcript;
      const before = known.get(key);
      if (before?.sign === sign) return await before.title;
      const title = readTitle(transcript);
      known.set(key, { sign, title });
      return await title;
    },
  };
}

async function readTitle(transcript: Transcript): Promise<string> {
  const { name, title = "" } = storedTitles(transcript);
  if (name !== undefined) return titleOf(await redactText(name));
  const words = await firstWords(transcript);
  // A stored title is cut, and half a secret is not known for one: the words themselves are looked at wherever they are there.
  const isOfWords = title === "" || title === titleOf(words ?? "");
  const whole = words !== undefined && isOfWords ? words : withoutCutWord(title);
  return titleOf(await redactText(whole));
}

function storedTitles({
  key,
  path,
  format,
}: Transcript): Partial<Pick<SessionSummary, "name" | "title">> {
  return format === "caliban" && isSessionId(key) ? summarizeSession(key, path) : {};
}

/** Longer words at an end may be what is left of a secret. */
const LONGEST_LAST_WORD = 20;
/** No title of ours is longer. */
const LONGEST_TITLE = 200;

/** A title of words that are not there any more, without its last one where that may be the beginning of a longer one. */
function withoutCutWord(title: string): string {
  const line = title.slice(0, LONGEST_TITLE).replaceAll(/\s+/g, " ").trim();
  const isCut = line.endsWith("…") || title.length > LONGEST_TITLE;
  const lastWord = line.slice(line.lastIndexOf(" ") + 1);
  if (!isCut && lastWord.length <= LONGEST_LAST_WORD) return line;
  return `${line.slice(0, line.length - lastWord.length).trimEnd()}…`;
}

/** Of a very long file without any words of a person, no more than this is looked at. */
const MOST_READINGS = 16;

async function firstWords({ path, format }: Transcript): Promise<string | undefined> {
  let readings = 0;
  for await (const turns of streamTurns({ path, format })) {
    const words = turns.find(({ role }) => role === "user")?.text;
    if (words !== undefined) return words;
    if (++readings === MOST_READINGS) break;
  }
  return undefined;
}
