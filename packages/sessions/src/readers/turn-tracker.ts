import { isJsonObject } from "../record/json-value.ts";
import type { SessionMessage } from "../record/session-message.ts";
import { findSpokenTurn, type StreamedTurn } from "./spoken-turn.ts";

/** A turn in its conversation. The files are as the model named them. */
type TrackedTurn = Omit<StreamedTurn, "byte" | "at">;

/** Follows a conversation line by line. */
export interface TurnTracker {
  /** What was said in the messages of the next line; `undefined` when nothing was. */
  readonly next: (messages: readonly SessionMessage[]) => TrackedTurn | undefined;
  /** A line that is too long to read may be the result of a tool. */
  readonly skipLine: () => void;
  /** For a tracker that continues after these lines. */
  readonly state: () => TrackerState;
}

export interface TrackerState {
  readonly isTainted: boolean;
  readonly touched: readonly string[];
}

const MAX_TOUCHED = 16;
const MAX_PATH_CHARACTERS = 500;
const PATH_KEYS = ["file_path", "path", "notebook_path", "filePath"] as const;

/** `before` is the state after the lines before, if there are any. */
export function createTurnTracker(before?: TrackerState): TurnTracker {
  let isTaintedNow = before?.isTainted ?? false;
  let touched: string[] = [...(before?.touched ?? [])];
  return {
    next: (messages) => {
      const spoken = findSpokenTurn(messages);
      if (spoken?.role === "user") isTaintedNow = false;
      // The text of a message comes before its calls.
      const wasTainted = isTaintedNow || messages.some(({ role }) => role === "tool");
      for (const message of messages) {
        if (message.role === "user") continue;
        if (message.role === "tool" || hasCall(message)) isTaintedNow = true;
        for (const path of pathsIn(message)) {
          if (touched.length < MAX_TOUCHED && !touched.includes(path)) touched.push(path);
        }
      }
      if (spoken === undefined) return undefined;
      const since = touched;
      touched = [];
      return {
        ...spoken,
        isTainted: spoken.role === "assistant" && wasTainted,
        touched: since,
      };
    },
    skipLine: () => void (isTaintedNow = true),
    state: () => ({ isTainted: isTaintedNow, touched }),
  };
}

function hasCall(message: SessionMessage): boolean {
  return message.role === "assistant" && message.parts.some(({ type }) => type === "tool-call");
}

function pathsIn(message: SessionMessage): readonly string[] {
  if (message.role !== "assistant") return [];
  return message.parts.flatMap((part) => {
    if (part.type !== "tool-call" || !isJsonObject(part.input)) return [];
    const { input } = part;
    return PATH_KEYS.flatMap((key) => {
      const path = input[key];
      return typeof path === "string" && path !== "" && path.length <= MAX_PATH_CHARACTERS
        ? [path]
        : [];
    });
  });
}
