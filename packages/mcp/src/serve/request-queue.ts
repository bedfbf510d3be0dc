import { PROTOCOL_CODE, ProtocolError } from "./protocol-error.ts";

/** What the requests of all clients do, so many at a time. */
export interface RequestQueue {
  /** Begins when there is a place, and the answers before it were taken; not at all once the server ends. */
  readonly run: <T>(action: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** Resolves when so few wait that more may be read. */
  readonly hasRoom: () => Promise<void>;
  /** Resolves when nothing runs and nothing waits. */
  readonly idle: () => Promise<void>;
  /** Resolves when everything that began has ended. What did not begin does not. */
  readonly end: () => Promise<void>;
}

/** Each may hold a topic in memory; nothing they wait for gets faster with more of them. */
const AT_A_TIME = 8;
/** Beyond this, a client that sends on without reading is not read. */
const MOST_WAITING = 128;

interface State {
  /** Places that are taken. */
  running: number;
  readonly waiting: (() => void)[];
  isEnding: boolean;
  readonly listeners: Set<() => void>;
}

/** `isTaken` resolves when whoever gets the answers took those that were given. */
export function createRequestQueue(isTaken: () => Promise<void>): RequestQueue {
  const state: State = { running: 0, waiting: [], isEnding: false, listeners: new Set() };
  const { promise: ending, resolve: beginToEnd } = Promise.withResolvers<void>();
  return {
    run: async (action, signal) => {
      await takePlace(state);
      try {
        await Promise.race([isTaken(), ending]);
        refuseWhereOver(state, signal);
        return await action();
      } finally {
        leavePlace(state);
      }
    },
    hasRoom: () => until(state, () => state.waiting.length < MOST_WAITING || state.isEnding),
    idle: () => until(state, () => state.running === 0),
    end: async () => {
      state.isEnding = true;
      beginToEnd();
      await until(state, () => state.running === 0);
    },
  };
}

async function takePlace(state: State): Promise<void> {
  if (state.running < AT_A_TIME) {
    state.running += 1;
    return;
  }
  await new Promise<void>((resolve) => state.waiting.push(resolve));
}

/** A place goes straight to the one who waited longest, so that nobody who comes in between gets it. */
function leavePlace(state: State): void {
  const next = state.waiting.shift();
  if (next === undefined) state.running -= 1;
  else next();
  for (const listener of state.listeners) listener();
}

function refuseWhereOver({ isEnding }: State, { aborted }: AbortSignal): void {
  if (isEnding) {
    throw new ProtocolError(PROTOCOL_CODE.internalError, "The server ends; nothing was done.");
  }
  if (aborted) throw new ProtocolError(PROTOCOL_CODE.internalError, "The request was cancelled.");
}

async function until({ listeners }: State, isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (!isSo()) return;
      listeners.delete(look);
      resolve();
    };
    listeners.add(look);
  });
}
