import { closeSync, fstatSync, readSync } from "node:fs";
import { isQuietLine, LOOKED_AT_BYTES } from "../readers/quiet-line.ts";
import type { TranscriptFacts } from "../readers/transcript-facts.ts";
import { createTranscriptReader, type TranscriptReader } from "../readers/transcript-reader.ts";
import { spokenIn, type SpokenTurn } from "../spoken-turn.ts";
import type { TranscriptPosition } from "../transcript-position.ts";
import { type FileLine, openLines } from "./file-lines.ts";
import { printOfBytes } from "./print-of-bytes.ts";
import { openToRead } from "./session-file.ts";
import type { TranscriptFile } from "./stream-messages.ts";

export interface StreamTurnsInput extends TranscriptFile {
  /**
   * Where an earlier reading ended. All of the file is read where it is not the one it was, where it has not grown, or where
   * what was read of it is not the same any more.
   */
  readonly from?: TranscriptPosition | undefined;
}

/** How a reading ended. */
export interface StreamedTurns {
  /** 0 where the whole file was read. */
  readonly beganAt: number;
  /** For the next reading. A last line without an end is left for it. */
  readonly position: TranscriptPosition;
  /** Of the lines that were read; `optedOut` and `isSubAgent` of those before as well. */
  readonly facts: TranscriptFacts;
}

/** Longer lines hold pictures, or what a tool gave back, but nothing that somebody said. */
const MAX_LINE_BYTES: number = 1024 * 1024;

/**
 * What a person and an agent said, in order, each with the place of its line. A line of more than 1 MiB is left out and
 * counted.
 * @yields as much as one reading gives
 * @throws SessionsError `NOT_FOUND`, or `UNREADABLE` for a link or anything but a regular file
 */
export async function* streamTurns(
  input: StreamTurnsInput,
): AsyncGenerator<readonly SpokenTurn[], StreamedTurns, undefined> {
  const { path, format } = input;
  const descriptor = openToRead(path);
  try {
    const from = hasOnlyGrown(descriptor, input.from) ? input.from : undefined;
    const reader = createTranscriptReader(format, from?.known);
    const beganAt = from?.byte ?? 0;
    let byte = beganAt;
    const lines = openLines(descriptor, {
      fromByte: beganAt,
      maxLineBytes: MAX_LINE_BYTES,
      isWanted: (line) => !isQuietLine(format, line.toString("latin1", 0, LOOKED_AT_BYTES)),
    });
    for await (const read of lines) {
      const turns = read.flatMap((line) => turnIn(line, reader));
      if (turns.length > 0) yield turns;
      const last = read.at(-1);
      if (last?.kind === "rest") ({ byte } = last);
    }
    return { beganAt, position: positionAt(descriptor, byte, reader), facts: reader.facts() };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * What was said in the line that begins at a byte; `undefined` where none does by now, or nothing was said in it. Never
 * more than 1 MiB is read.
 * @throws SessionsError as `streamTurns`
 */
export async function readTurnAt({
  path,
  format,
  byte,
}: TranscriptFile & { readonly byte: number }): Promise<SpokenTurn | undefined> {
  const descriptor = openToRead(path);
  try {
    if (!isLineStart(descriptor, byte)) return undefined;
    const reader = createTranscriptReader(format);
    const lines = openLines(descriptor, {
      fromByte: byte,
      maxLineBytes: MAX_LINE_BYTES,
      chunkBytes: CHUNK_BYTES,
    });
    let bytesRead = 0;
    for await (const read of lines) {
      const [first] = read;
      if (first !== undefined) return turnIn(first, reader)[0];
      bytesRead += CHUNK_BYTES;
      if (bytesRead > MAX_LINE_BYTES) break;
    }
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

const CHUNK_BYTES = 32 * 1024;
const NEWLINE = 0x0a;

function turnIn(line: FileLine, reader: TranscriptReader): readonly SpokenTurn[] {
  if (line.kind === "too-long") reader.skipLine();
  if (line.kind !== "line") return [];
  const spoken = spokenIn(reader.readLine(line.text));
  return spoken === undefined ? [] : [{ ...spoken, byte: line.byte, at: reader.writtenAt() }];
}

function hasOnlyGrown(descriptor: number, from: TranscriptPosition | undefined): boolean {
  if (from === undefined) return false;
  const { ino, size } = fstatSync(descriptor);
  if (ino !== from.inode || size <= from.size) return false;
  return printOfBytes(descriptor, from.byte) === from.print;
}

function positionAt(
  descriptor: number,
  byte: number,
  reader: TranscriptReader,
): TranscriptPosition {
  const { ino: inode, size } = fstatSync(descriptor);
  return { byte, size, inode, print: printOfBytes(descriptor, byte), known: reader.known() };
}

function isLineStart(descriptor: number, byte: number): boolean {
  if (byte === 0) return true;
  return bytesBetween(descriptor, byte - 1, byte)[0] === NEWLINE;
}

function bytesBetween(descriptor: number, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(to - from);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from));
}
