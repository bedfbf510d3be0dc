import {
  type TranscriptFacts,
  createTranscriptReader,
  type TranscriptFormat,
  type TranscriptReader,
} from "../readers/transcript-reader.ts";

import type { SessionMessage } from "../record/session-message.ts";
import { type FileLine, fileLines } from "./file-lines.ts";

/** A transcript file and its format. */
export interface TranscriptFile {
  readonly path: string;
  readonly format: TranscriptFormat;
}

/**
 * Streams the messages and tool calls of a transcript. Returns the facts about it and how much was skipped. Lines of more
 * than 32 MiB are skipped.
 * @yields each message
 * @throws SessionsError `NOT_FOUND`, or `UNREADABLE` for a link or anything but a regular file
 */
export async function* streamMessages({
  path,
  format,
}: TranscriptFile): AsyncGenerator<SessionMessage, TranscriptFacts, undefined> {
  const reader = createTranscriptReader(format);
  for await (const lines of fileLines({ path })) {
    for (const line of lines) {
      // One by one, because `yield*` costs an extra turn of the event loop even for an empty list.
      for (const message of messagesOf(line, reader)) yield message;
    }
  }
  return reader.facts();
}

const HEAD_BYTES = 64 * 1024;
const MAX_HEAD_BYTES = 4 * 1024 * 1024;

/**
 * Identifies a transcript by its beginning. Usually 64 KiB are read, and never more than 4 MiB.
 * @throws SessionsError as `streamMessages`
 */
export async function identifyTranscript({
  path,
  format,
}: TranscriptFile): Promise<TranscriptFacts> {
  const reader = createTranscriptReader(format);
  let bytesRead = 0;
  for await (const lines of fileLines({ path, chunkBytes: HEAD_BYTES })) {
    for (const line of lines) messagesOf(line, reader);
    bytesRead += HEAD_BYTES;
    const { sessionId, cwd } = reader.facts();
    const isKnown = sessionId !== undefined && cwd !== undefined;
    if (isKnown || bytesRead >= MAX_HEAD_BYTES) break;
  }
  return reader.facts();
}

// The text in a line, anywhere in a file, that can opt out of learning.
const OPT_OUT_TEXTS: Readonly<Record<TranscriptFormat, string | undefined>> = {
  caliban: '"learn"',
  claude: undefined,
  codex: '"session_meta"',
};

/**
 * Whether the user does not want anything to be learned from a session. Scans the whole file, because a later process may
 * have opted out, but parses only the few lines that can say so.
 * @throws SessionsError as `streamMessages`
 */
export async function isOptedOut({ path, format }: TranscriptFile): Promise<boolean> {
  const text = OPT_OUT_TEXTS[format];
  if (text === undefined) return false;
  const reader = createTranscriptReader(format);
  for await (const lines of fileLines({ path, isRelevant: (line) => line.includes(text) })) {
    for (const line of lines) messagesOf(line, reader);
  }
  return reader.facts().optedOut;
}

function messagesOf(line: FileLine, reader: TranscriptReader): readonly SessionMessage[] {
  if (line.kind !== "too-long") return reader.readLine(line.text);
  reader.skipLine();
  return [];
}
