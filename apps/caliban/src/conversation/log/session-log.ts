import type { AgentEvent, TurnOutcome } from "@caliban/agent-core";
import type { SessionWriter } from "@caliban/sessions/node";

/** Keeps what happens in a conversation. */
export interface SessionLog {
  readonly id: string;
  /** Whether it is being kept; a disk that refuses makes it false. */
  readonly isSaved: () => boolean;
  /** Has written what is to be written when it returns. */
  readonly record: (event: AgentEvent) => void;
  readonly useModel: (name: string) => void;
  /** To be awaited before anything is done that cannot be taken back: what led to it is on the disk by then. */
  readonly ready: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Keeps nothing: for `--no-save`, `--bare`, and where no home directory is known. */
export function noopLog(id: string): SessionLog {
  return {
    id,
    isSaved: () => false,
    record: () => undefined,
    useModel: () => undefined,
    ready: async () => undefined,
    close: async () => undefined,
  };
}

/** Keeps messages and how turns ended in a session file. */
export function createSessionLog(writer: SessionWriter, hasFailed: () => boolean): SessionLog {
  let opening: Promise<void> | undefined;
  return {
    id: writer.id,
    // A disk that refused may have room again, and then all of it is written.
    isSaved: () => !hasFailed() || writer.isSaved(),
    record: (event) => {
      // The way to the first request does not wait for the place to be ready: records do, and are written then.
      opening ??= writer.open();
      const record = recordOf(event);
      if (record !== undefined) writer.append(record);
    },
    useModel: (model) => writer.append({ type: "model", model }),
    ready: async () => await opening,
    close: async () => {
      await opening;
      await writer.close();
    },
  };
}

type NewRecord = Parameters<SessionWriter["append"]>[0];

function recordOf(event: AgentEvent): NewRecord | undefined {
  switch (event.type) {
    case "message":
      return { type: "message", message: event.message };
    case "compacted":
      return {
        type: "compacted",
        messages: event.messages,
        beforeTokens: event.beforeTokens,
        afterTokens: event.afterTokens,
      };
    case "notice":
      return { type: "notice", sentence: event.message };
    case "turn-end":
      return { type: "turn-end", ...outcomeRecord(event.outcome) };
    case "step-start":
    case "text-delta":
    case "reasoning-delta":
    case "tool-call":
    case "tool-result":
    case "usage":
    case "retry":
      return undefined;
  }
}

function outcomeRecord(outcome: TurnOutcome): {
  readonly outcome: TurnOutcome["kind"];
  readonly sentence?: string;
} {
  const { kind } = outcome;
  if (kind === "failed") return { outcome: kind, sentence: outcome.failure.message };
  if (kind === "refused") return { outcome: kind, sentence: outcome.message };
  return { outcome: kind };
}
