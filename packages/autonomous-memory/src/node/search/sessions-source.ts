import { isSessionsError } from "@caliban/sessions";
import { readTurnAt } from "@caliban/sessions/node";
import type {
  DocumentSource,
  PreviousRead,
  QuotedTurn,
  ReadEntry,
  SearchTerms,
  ShownTurn,
  SourceEntry,
} from "./document-source.ts";
import { createOmissions } from "./omissions.ts";
import { readTranscript } from "./read-transcript.ts";
import { MAX_TURN_CHARACTERS, sanitizeText } from "./sanitize-text.ts";
import { locateTurn, SESSIONS } from "./session-documents.ts";
import { createSessionFacts, type FactsBySession } from "./session-facts.ts";
import { createSessionTitles, type SessionTitles } from "./session-titles.ts";
import { listTranscripts, type Transcript, type TranscriptsInput } from "./transcripts.ts";

export interface SessionsSourceInput extends TranscriptsInput {
  /** Contains the generations of learned memory; `undefined` when it is not used. */
  readonly learnedDirectory?: string | undefined;
  /** The running session, which is not searched. */
  readonly exceptSession?: (() => string | undefined) | undefined;
  readonly searchTerms: SearchTerms;
}

/**
 * Makes past sessions of a project searchable by what was said in them. Sessions that opted out of learning, and the
 * results of tools, are left out.
 */
export function sessionsSource(input: SessionsSourceInput): DocumentSource {
  const { searchTerms } = input;
  const facts = createSessionFacts(input.learnedDirectory);
  const omissions = createOmissions();
  const titles = createSessionTitles();
  const reading = new Set<Promise<unknown>>();
  let listed = new Map<string, Transcript>();
  let problems: readonly string[] = [];
  const readSession = async (
    transcript: Transcript,
    before: PreviousRead | undefined,
  ): Promise<ReadEntry> => {
    const learned = (await facts()).get(transcript.key);
    const read = await unlessUnreadable(
      transcript,
      readTranscript(transcript, { before, learned, searchTerms }),
    );
    if ("problem" in read) return { change: "replace", documents: [], cursor: "", ...read };
    omissions.note(transcript.key, read.omissions);
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
      return [...searched.map((transcript) => toEntry(transcript, learned)), omissions.entry];
    },
    read: async ({ key }, before) => {
      if (key === omissions.entry.key) {
        // Includes the sessions that are being read at the same time.
        await Promise.allSettled(reading);
        return omissions.read(before, { hasSession: (session) => listed.has(session), problems });
      }
      const transcript = listed.get(key);
      if (transcript === undefined) return undefined;
      const promise = unlessRemoved(readSession(transcript, before));
      reading.add(promise);
      return await promise.finally(() => reading.delete(promise));
    },
    show: async (id) => {
      const found = locate(id, listed);
      return found && (await unlessRemoved(showTurn(found.transcript, found.byte, titles)));
    },
    quote: async (id) => {
      const found = locate(id, listed);
      return found && (await unlessRemoved(quoteTurn(found.transcript, found.byte)));
    },
  };
}

function toEntry({ key, fingerprint }: Transcript, learned: FactsBySession): SourceEntry {
  const fact = learned.get(key)?.fingerprint;
  return { key, fingerprint: fact === undefined ? fingerprint : `${fingerprint}:${fact}` };
}

function locate(
  id: string,
  listed: ReadonlyMap<string, Transcript>,
): { readonly transcript: Transcript; readonly byte: number } | undefined {
  const location = locateTurn(id);
  const transcript = location && listed.get(location.key);
  return location && transcript && { transcript, byte: location.byte };
}

async function quoteTurn(
  { path, format }: Transcript,
  byte: number,
): Promise<QuotedTurn | undefined> {
  const turn = await readTurnAt({ path, format, byte });
  if (turn === undefined) return undefined;
  return { agent: format, role: turn.role, text: turn.text.slice(0, MAX_TURN_CHARACTERS) };
}

async function showTurn(
  transcript: Transcript,
  byte: number,
  titles: SessionTitles,
): Promise<ShownTurn | undefined> {
  const { path, format } = transcript;
  const turn = await readTurnAt({ path, format, byte });
  if (turn === undefined) return undefined;
  return {
    kind: "turn",
    agent: format,
    title: await titles(transcript),
    role: turn.role,
    text: await sanitizeText(turn.text),
  };
}

/** Models see the message as well, so it does not contain the path. */
async function unlessUnreadable<Result>(
  { key, path }: Transcript,
  read: Promise<Result>,
): Promise<Result | { readonly problem: string }> {
  try {
    return await read;
  } catch (error) {
    if (!isSessionsError(error) || error.code !== "UNREADABLE") throw error;
    const reason = error.message.replaceAll(path, "its file");
    return { problem: `Session ${key} is not searched: ${reason}.` };
  }
}

/** A session may be removed at any time. */
async function unlessRemoved<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isSessionsError(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
