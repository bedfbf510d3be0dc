import type { ReadEntry, SearchSource, ShownDocument, SourceEntry } from "@caliban/memory/search";
import { SessionsError } from "@caliban/sessions";
import { readTurnAt } from "@caliban/sessions/node";
import { redactText } from "./redact-text.ts";
import { createOmissions } from "./omissions.ts";
import { readTranscript } from "./read-transcript.ts";
import { locateTurn, SESSIONS } from "./session-documents.ts";
import { createSessionFacts } from "./session-facts.ts";
import { createSessionTitles, type SessionTitles } from "./session-titles.ts";
import { listTranscripts, type Transcript, type TranscriptsInput } from "./transcripts.ts";

export interface SessionsSourceInput extends TranscriptsInput {
  /** Where the generations of what was learned are; left out where nothing of it is used. */
  readonly learned?: string | undefined;
  /** The session that is running: it is not searched. */
  readonly exceptSession?: (() => string | undefined) | undefined;
}

/**
 * Past sessions of a project, by what was said in them. Those are left out from which nothing is to be learned. Tools'
 * results are no words of anybody.
 */
export function sessionsSource(input: SessionsSourceInput): SearchSource {
  const facts = createSessionFacts(input.learned);
  const leftOut = createOmissions();
  const titles = createSessionTitles();
  const reading = new Set<Promise<unknown>>();
  let listed = new Map<string, Transcript>();
  let problems: readonly string[] = [];
  const readSession = async (
    transcript: Transcript,
    before: Parameters<SearchSource["read"]>[1],
  ): Promise<ReadEntry> => {
    const learned = (await facts()).get(transcript.key);
    const read = await unlessUnreadable(
      transcript,
      readTranscript(transcript, { before, learned }),
    );
    if ("problem" in read) return { change: "replace", documents: [], cursor: "", ...read };
    leftOut.note(transcript.key, read.leftOut);
    return read.entry;
  };
  return {
    name: SESSIONS,
    list: async () => {
      const learned = await facts();
      const listing = await listTranscripts(input);
      const except = input.exceptSession?.();
      const searched = listing.transcripts.filter(({ key }) => key !== except);
      ({ problems } = listing);
      listed = new Map(searched.map((transcript) => [transcript.key, transcript]));
      return [
        ...searched.map(({ key, fingerprint: sign }): SourceEntry => {
          const fact = learned.get(key)?.fingerprint;
          return { key, fingerprint: fact === undefined ? sign : `${sign}:${fact}` };
        }),
        leftOut.entry,
      ];
    },
    read: async ({ key }, before) => {
      if (key === leftOut.entry.key) {
        // Sessions that are read at the same time are counted too.
        await Promise.allSettled(reading);
        return leftOut.read(before, { isThere: (each) => listed.has(each), problems });
      }
      const transcript = listed.get(key);
      if (transcript === undefined) return undefined;
      const promise = unlessGone(readSession(transcript, before));
      reading.add(promise);
      return await promise.finally(() => reading.delete(promise));
    },
    show: async (id) => {
      const place = locateTurn(id);
      const transcript = place && listed.get(place.key);
      if (place === undefined || transcript === undefined) return undefined;
      return await unlessGone(showTurn(transcript, place.byte, titles));
    },
  };
}

async function showTurn(
  transcript: Transcript,
  byte: number,
  titles: SessionTitles,
): Promise<ShownDocument | undefined> {
  const { path, format } = transcript;
  const turn = await readTurnAt({ path, format, byte });
  if (turn === undefined) return undefined;
  const title = await titles.of(transcript);
  return {
    kind: "turn",
    agent: format,
    title,
    role: turn.role,
    text: await redactText(turn.text),
  };
}

/** What is no session of ours is named without its path: what is said here is told a model as well. */
async function unlessUnreadable<T>(
  { key, path }: Transcript,
  read: Promise<T>,
): Promise<T | { readonly problem: string }> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof SessionsError) || error.code !== "UNREADABLE") throw error;
    const why = error.message.replaceAll(path, "its file");
    return { problem: `Session ${key} is not searched: ${why}.` };
  }
}

/** A session may be removed at any time. */
async function unlessGone<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof SessionsError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
