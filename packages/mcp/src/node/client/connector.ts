import { ServerFailure, isServerFailure } from "../../client/server-failure.ts";
import type { ServerState } from "../../client/server-status.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";
import type { ServerTransport } from "./transport/server-transport.ts";

/**
 * The connection to one server as a state machine. `close` ends it in any state.
 *
 *     idle ──open──▶ starting ──▶ connected
 *                     ▲    │          │
 *                   open   ▼          ▼
 *                     └── absent ◀────┘
 */
export interface Connector {
  readonly state: () => ServerState;
  /** Connects if necessary. Concurrent callers share one attempt. @throws ServerFailure */
  readonly open: () => Promise<Connection>;
  /** The current connection or attempt, if there is one. */
  readonly current: () => Promise<Connection> | undefined;
  /** Makes the next `open` connect again. */
  readonly reset: () => void;
  readonly isClosed: () => boolean;
  readonly close: () => Promise<void>;
  /** Ends the server without waiting for anything. */
  readonly kill: () => void;
}

export interface ConnectorInput {
  /**
   * Runs before every attempt and returns how to connect. Nothing is started before it resolves.
   * @throws ServerFailure if the server may not be started
   */
  readonly prepare: () => Promise<(events: ConnectionEvents) => Promise<Connection>>;
  readonly onConnected: (connection: Connection) => void;
  /** The attempt failed, or the server went away. Not called after `close`. */
  readonly onLost: (failure: ServerFailure) => void;
}

export function createConnector({ prepare, onConnected, onLost }: ConnectorInput): Connector {
  let state: ServerState = { kind: "idle" };
  let opening: Promise<Connection> | undefined;
  let transport: Pick<ServerTransport, "close" | "kill"> | undefined;
  let isClosed = false;
  const lose = (failure: ServerFailure): void => {
    opening = undefined;
    if (isClosed) return;
    state = { kind: "absent", message: failure.message };
    onLost(failure);
  };
  const start = async (): Promise<Connection> => {
    state = { kind: "starting" };
    try {
      const connect = await prepare();
      if (isClosed) throw new ServerFailure("INTERRUPTED", "the conversation has ended");
      const connection = await connect({
        onEnd: lose,
        onTransport: (created) => {
          transport = created;
        },
      });
      state = { kind: "connected" };
      onConnected(connection);
      return connection;
    } catch (error) {
      if (isServerFailure(error)) lose(error);
      throw error;
    }
  };
  return {
    state: () => state,
    open: () => (opening ??= start()),
    current: () => opening,
    reset: () => {
      opening = undefined;
    },
    isClosed: () => isClosed,
    close: async () => {
      isClosed = true;
      await transport?.close();
    },
    kill: () => transport?.kill(),
  };
}
