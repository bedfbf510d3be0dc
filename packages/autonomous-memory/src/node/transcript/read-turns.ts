import { createHash } from "node:crypto";
import type { SessionMessage } from "@caliban/sessions";
import type { StopSignal } from "@caliban/common";
import { type CollectedTranscript, createTurnCollector } from "../../transcript/turn-collector.ts";

export interface ReadTurnsInput {
  /** The size of the transcript to render; a few times as much is held in memory. */
  readonly maxBytes: number;
  /** Directories that contain memory, whatever their names. */
  readonly memoryDirectories?: readonly string[];
  readonly signal?: StopSignal | undefined;
}

/** The turns of a session, and a hash of the whole content, including omitted turns. */
export interface ReadTurns extends CollectedTranscript {
  /** SHA-256 in hex of messages and tool calls, excluding notes, reasoning, usage and internal records. */
  readonly contentHash: string;
}

/** Reads a whole session with one message in memory at a time, and redacts secrets. */
export async function readTurns(
  messages: AsyncIterable<SessionMessage>,
  { maxBytes, memoryDirectories: memoryHomes = [], signal }: ReadTurnsInput,
): Promise<ReadTurns> {
  // The scanners are large, and not needed when there is no session to read.
  const { findSecrets } = await import("@caliban/common/secrets");
  const hash = createHash("sha256");
  const collector = createTurnCollector({
    findSecrets,
    onContent: (content) => hash.update(content),
    maxBytes,
    memoryDirectories: memoryHomes,
  });
  for await (const message of messages) {
    signal?.throwIfAborted();
    await collector.add(message);
  }
  signal?.throwIfAborted();
  return { ...(await collector.finish()), contentHash: hash.digest("hex") };
}
