import { closeSync, fstatSync, readSync } from "node:fs";
import { HEAD_BYTES, isSkippableLine } from "../readers/skippable-line.ts";
import {
  type TranscriptFacts,
  createTranscriptReader,
  type TranscriptReader,
} from "../readers/transcript-reader.ts";
import { findSpokenTurn, type SpokenTurn, type StreamedTurn } from "../readers/spoken-turn.ts";
import type { TranscriptPosition } from "../readers/transcript-position.ts";
import { createTurnTracker, type TurnTracker } from "../readers/turn-tracker.ts";
import { type FileLine, openLines } from "./file-lines.ts";
import { openToRead } from "./session-file.ts";
import type { TranscriptFile } from "./stream-messages.ts";
import { createHash } from "node:crypto";

export interface StreamTurnsInput extends TranscriptFile {
  /**
   * Where an earlier read ended. The whole file is read if it is a different file, if it has not grown, or if the part that
   * was already read has changed.
   */
  readonly from?: TranscriptPosition | undefined;
}

/** The result of a read. */
export interface StreamedTurns {
  /** 0 if the whole file was read. */
  readonly beganAt: number;
  /** For the next read, which also gets a last line without an end. */
  readonly position: TranscriptPosition;
  /** Facts from the lines that were read; `optedOut` and `isSubAgent` also cover the lines before. */
  readonly facts: TranscriptFacts;
}

/** Longer lines contain images or tool results, but nothing that was said. */
const MAX_LINE_BYTES: number = 1024 * 1024;

/**
 * Streams what the user and the agent said, in order, each with the offset of its line. Lines of more than 1 MiB are skipped
 * and counted.
 * @yields the turns in one chunk
 * @throws SessionsError `NOT_FOUND`, or `UNREADABLE` for a link or anything but a regular file
 */
export async function* streamTurns(
  input: StreamTurnsInput,
): AsyncGenerator<readonly StreamedTurn[], StreamedTurns, undefined> {
  const { path, format } = input;
  const descriptor = openToRead(path);
  try {
    const from = hasOnlyGrown(descriptor, input.from) ? input.from : undefined;
    const reader = createTranscriptReader(format, from?.known);
    const tracker = createTurnTracker(from);
    const beganAt = from?.byte ?? 0;
    let byte = beganAt;
    const lines = openLines(descriptor, {
      fromByte: beganAt,
      maxLineBytes: MAX_LINE_BYTES,
      isRelevant: (line) => !isSkippableLine(format, line.toString("latin1", 0, HEAD_BYTES)),
    });
    for await (const read of lines) {
      const turns = read.flatMap((line) => streamedTurnIn(line, reader, tracker));
      if (turns.length > 0) yield turns;
      const last = read.at(-1);
      if (last?.kind === "rest") ({ byte } = last);
    }
    const position = { ...positionAt(descriptor, byte, reader), ...tracker.state() };
    return { beganAt, position, facts: reader.facts() };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads what was said in the line at an offset; `undefined` when no line begins there any more, or nothing was said in it.
 * Never reads more than 1 MiB.
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
  const spoken = findSpokenTurn(reader.readLine(line.text));
  return spoken === undefined ? [] : [{ ...spoken, byte: line.byte, at: reader.writtenAt() }];
}

function streamedTurnIn(
  line: FileLine,
  reader: TranscriptReader,
  tracker: TurnTracker,
): readonly StreamedTurn[] {
  if (line.kind === "too-long") {
    reader.skipLine();
    tracker.skipLine();
  }
  if (line.kind !== "line") return [];
  const turn = tracker.next(reader.readLine(line.text));
  if (turn === undefined) return [];
  const { cwd } = reader.facts();
  const touched = turn.touched.map((path) => withoutDirectory(path, cwd));
  return [{ ...turn, touched, byte: line.byte, at: reader.writtenAt() }];
}

/** With forward slashes, and relative to a directory if it is in it. */
function withoutDirectory(path: string, directory: string | undefined): string {
  const [plain, root = ""] = [path, directory].map((name) => name?.replaceAll("\\", "/"));
  const isWithin = root !== "" && plain?.startsWith(`${root.replace(/\/$/, "")}/`) === true;
  const rest = isWithin ? plain?.slice(root.replace(/\/$/, "").length + 1) : plain;
  return (rest ?? path).replace(/^\.\//, "");
}

function hasOnlyGrown(descriptor: number, from: TranscriptPosition | undefined): boolean {
  if (from === undefined) return false;
  const { ino, size } = fstatSync(descriptor);
  if (ino !== from.inode || size <= from.size) return false;
  return fingerprintBytes(descriptor, from.byte) === from.print;
}

function positionAt(
  descriptor: number,
  byte: number,
  reader: TranscriptReader,
): Omit<TranscriptPosition, "isTainted" | "touched"> {
  const { ino: inode, size } = fstatSync(descriptor);
  return { byte, size, inode, print: fingerprintBytes(descriptor, byte), known: reader.known() };
}

function isLineStart(descriptor: number, byte: number): boolean {
  if (byte === 0) return true;
  return bytesBetween(descriptor, byte - 1, byte)[0] === NEWLINE;
}

function bytesBetween(descriptor: number, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(to - from);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from));
}

const BLOCK_BYTES: number = 64 * 1024;
const MAX_BLOCKS = 64;

/**
 * A fingerprint of the first bytes of an open file. Of more than 4 MiB, it covers evenly spaced blocks, including the first
 * and the last.
 */
function fingerprintBytes(descriptor: number, byteCount: number): string {
  const hash = createHash("sha256");
  const block = new Uint8Array(BLOCK_BYTES);
  for (const start of blockStarts(byteCount)) {
    const wanted = Math.min(BLOCK_BYTES, byteCount - start);
    hash.update(block.subarray(0, readSync(descriptor, block, 0, wanted, start)));
  }
  return hash.digest("hex").slice(0, 16);
}

function blockStarts(byteCount: number): readonly number[] {
  const blocks = Math.ceil(byteCount / BLOCK_BYTES);
  if (blocks <= MAX_BLOCKS) return Array.from({ length: blocks }, (_, at) => at * BLOCK_BYTES);
  const step = (byteCount - BLOCK_BYTES) / (MAX_BLOCKS - 1);
  return Array.from({ length: MAX_BLOCKS }, (_, at) => Math.floor(at * step));
}
