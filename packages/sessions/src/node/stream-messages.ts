import type { TranscriptFacts } from "../readers/transcript-facts.ts";
import {
  createTranscriptReader,
  type TranscriptFormat,
  type TranscriptReader,
} from "../readers/transcript-reader.ts";
import type { SessionMessage } from "../session-message.ts";
import { type FileLine, fileLines } from "./file-lines.ts";

/** A transcript on the disk, and whose it is. */
export interface TranscriptFile {
  readonly path: string;
  readonly format: TranscriptFormat;
}

/**
 * What was said and done in a transcript, as it is read; at the end, what is known of it and how much was left out.
 * A line of more than 32 MiB is left out.
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
      // One by one: handing on a list costs a turn of the loop also where it is empty.
      for (const message of messagesOf(line, reader)) yield message;
    }
  }
  return reader.facts();
}

const HEAD_BYTES = 64 * 1024;
const MOST_HEAD_BYTES = 4 * 1024 * 1024;

/**
 * What the beginning of a transcript says of it. Most often 64 KiB are read, and never more than 4 MiB.
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
    if (isKnown || bytesRead >= MOST_HEAD_BYTES) break;
  }
  return reader.facts();
}

// What a line has in it that says, somewhere in a file, that nothing is to be learned from it.
const OPT_OUT_MARKS: Readonly<Record<TranscriptFormat, string | undefined>> = {
  caliban: '"learn"',
  claude: undefined,
  codex: '"session_meta"',
};

/**
 * Whether the person wants nothing learned from a session. The whole file is gone through, because a later process may
 * have been told so; only the few lines that can say it are read.
 * @throws SessionsError as `streamMessages`
 */
export async function isOptedOut({ path, format }: TranscriptFile): Promise<boolean> {
  const mark = OPT_OUT_MARKS[format];
  if (mark === undefined) return false;
  const reader = createTranscriptReader(format);
  for await (const lines of fileLines({ path, isWanted: (line) => line.includes(mark) })) {
    for (const line of lines) messagesOf(line, reader);
  }
  return reader.facts().optedOut;
}

function messagesOf(line: FileLine, reader: TranscriptReader): readonly SessionMessage[] {
  if (line.kind !== "too-long") return reader.readLine(line.text);
  reader.skipLine();
  return [];
}
