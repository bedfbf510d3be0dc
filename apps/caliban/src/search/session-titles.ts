import { isSessionId, titleOf } from "@caliban/sessions";
import { streamTurns, summarizeSession } from "@caliban/sessions/node";
import { harmlessText } from "./harmless-text.ts";
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
      const { key, sign } = transcript;
      const before = known.get(key);
      if (before?.sign === sign) return await before.title;
      const title = readTitle(transcript);
      known.set(key, { sign, title });
      return await title;
    },
  };
}

async function readTitle(transcript: Transcript): Promise<string> {
  const words = (await nameOf(transcript)) ?? (await firstWords(transcript)) ?? "";
  return titleOf(await harmlessText(words));
}

async function nameOf({ key, path, format }: Transcript): Promise<string | undefined> {
  if (format !== "caliban" || !isSessionId(key)) return undefined;
  const { name, title } = summarizeSession(key, path);
  return name ?? title;
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
