import { createHash } from "node:crypto";
import type { SessionMessage } from "@caliban/sessions";
import type { StopSignal } from "../../stop-signal.ts";
import { type CollectedTranscript, createTurnCollector } from "../../transcript/turn-collector.ts";

export interface ReadTurnsInput {
  /** The size of the transcript that is made of the turns; a few times as much is held. */
  readonly maxBytes: number;
  /** Directories that hold memory, whatever their names. */
  readonly memoryHomes?: readonly string[];
  readonly signal?: StopSignal | undefined;
}

/** What was said in a session, and a hash of all of it, held or not. */
export interface ReadTurns extends CollectedTranscript {
  /** SHA-256 in hex: of what was said and done, not of notes, thinking, usage or records of the program. */
  readonly contentHash: string;
}

/** Reads a session to its end with one message in memory at a time, without secrets. */
export async function readTurns(
  messages: AsyncIterable<SessionMessage>,
  { maxBytes, memoryHomes = [], signal }: ReadTurnsInput,
): Promise<ReadTurns> {
  // Scanners are large; who has no session to read never loads them.
  const { findSecrets } = await import("@caliban/common/secrets");
  const hash = createHash("sha256");
  const collector = createTurnCollector({
    findSecrets,
    onContent: (content) => hash.update(content),
    maxBytes,
    memoryHomes,
  });
  for await (const message of messages) {
    signal?.throwIfAborted();
    await collector.add(message);
  }
  signal?.throwIfAborted();
  return { ...(await collector.finish()), contentHash: hash.digest("hex") };
}
