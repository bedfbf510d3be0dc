import type { CancelSignal } from "@caliban/agent-core";
import { PROTOCOL_CODE, ProtocolError } from "../protocol-error.ts";

/** Runs the requests of all clients, a few at a time. */
export interface RequestQueue {
  /** Runs an action when a slot is free and earlier answers were taken, or not at all once the server ends. */
  readonly run: <T>(action: () => Promise<T>, signal: Pick<CancelSignal, "aborted">) => Promise<T>;
  /** Resolves when so few requests wait that more may be read. */
  readonly hasRoom: () => Promise<void>;
  /** Resolves when nothing is running or waiting. */
  readonly idle: () => Promise<void>;
  /** Starts no more requests. Resolves when those that are running have ended. */
  readonly end: () => Promise<void>;
}

/** Each request may hold a topic in memory, and more of them in parallel make nothing faster. */
const MAX_RUNNING = 8;
/** A client that sends more without reading answers is not read until it does. */
const MAX_WAITING = 128;

interface State {
  /** Slots in use. */
  running: number;
  readonly waiting: (() => void)[];
  isEnding: boolean;
  readonly listeners: Set<() => void>;
}

/** Creates a queue. `answersTaken` resolves when the client has taken the answers sent so far. */
export function createRequestQueue(
  answersTaken: () => Promise<void> = () => Promise.resolve(),
): RequestQueue {
  const state: State = { running: 0, waiting: [], isEnding: false, listeners: new Set() };
  const { promise: ending, resolve: startEnding } = Promise.withResolvers<void>();
  return {
    run: async (action, signal) => {
      await takeSlot(state);
      try {
        await Promise.race([answersTaken(), ending]);
        refuseIfEnded(state, signal);
        return await action();
      } finally {
        releaseSlot(state);
      }
    },
    hasRoom: () => until(state, () => state.waiting.length < MAX_WAITING || state.isEnding),
    idle: () => until(state, () => state.running === 0),
    end: async () => {
      state.isEnding = true;
      startEnding();
      await until(state, () => state.running === 0);
    },
  };
}

async function takeSlot(state: State): Promise<void> {
  if (state.running < MAX_RUNNING) {
    state.running += 1;
    return;
  }
  await new Promise<void>((resolve) => state.waiting.push(resolve));
}

/** Hands the slot to the request that waited longest, so that no newer one can take it. */
function releaseSlot(state: State): void {
  const next = state.waiting.shift();
  if (next === undefined) state.running -= 1;
  else next();
  for (const listener of state.listeners) listener();
}

function refuseIfEnded({ isEnding }: State, { aborted }: Pick<CancelSignal, "aborted">): void {
  if (isEnding)
    throw new ProtocolError(PROTOCOL_CODE.internalError, "the server is shutting down; not run");
  if (aborted) throw new ProtocolError(PROTOCOL_CODE.internalError, "the request was cancelled");
}

async function until({ listeners }: State, condition: () => boolean): Promise<void> {
  if (condition()) return;
  await new Promise<void>((resolve) => {
    const check = (): void => {
      if (!condition()) return;
      listeners.delete(check);
      resolve();
    };
    listeners.add(check);
  });
}
