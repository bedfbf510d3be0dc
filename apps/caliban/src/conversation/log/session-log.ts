import type { AgentEvent, TurnOutcome } from "@caliban/agent-core";
import type { SessionWriter } from "@caliban/sessions/node";

/** Records a conversation. */
export interface SessionLog {
  readonly id: string;
  /** Whether the session is on disk; false once the disk refused a write. */
  readonly isSaved: () => boolean;
  /** The event is written when this returns. */
  readonly record: (event: AgentEvent) => void;
  readonly useModel: (name: string) => void;
  /** Await this before anything irreversible, so that what led to it is on disk first. */
  readonly ready: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Records nothing: for `--no-save`, `--bare`, and when no home directory is known. */
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

/** Records messages and outcomes in a session file. */
export function createSessionLog(writer: SessionWriter, hasFailed: () => boolean): SessionLog {
  let opening: Promise<void> | undefined;
  return {
    id: writer.id,
    // A full disk may have room again, and then everything is written.
    isSaved: () => !hasFailed() || writer.isSaved(),
    record: (event) => {
      // The first request does not wait for the file. Records do, and are written when it is open.
      opening ??= writer.open();
      const record = toRecord(event);
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

/** Stored records call the message of a notice or an outcome `sentence`. */
function toRecord(event: AgentEvent): NewRecord | undefined {
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
      return { type: "turn-end", ...toOutcomeRecord(event.outcome) };
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

function toOutcomeRecord(outcome: TurnOutcome): {
  readonly outcome: TurnOutcome["kind"];
  readonly sentence?: string;
} {
  const { kind } = outcome;
  if (kind === "failed") return { outcome: kind, sentence: outcome.failure.message };
  if (kind === "refused") return { outcome: kind, sentence: outcome.message };
  return { outcome: kind };
}
