import { terminalSafeLine } from "@caliban/common";
import { type ConfineProgram, createSecretMask } from "@caliban/tools-builtin/node";
import type { ClientLimits } from "../../client/client-limits.ts";
import type { McpServer, StartableServer } from "../../client/mcp-server.ts";
import { ServerFailure, isServerFailure } from "../../client/server-failure.ts";
import type { ServerRecord } from "../../client/server-record.ts";
import type { ServerState } from "../../client/server-status.ts";
import type { ServerDiagnostic } from "../../server-diagnostic.ts";
import { type Announcer, createAnnouncer } from "./announcer.ts";
import type { Connection } from "./connection.ts";
import { type Connector, createConnector } from "./connector.ts";
import { fetchListing } from "./fetch-listing.ts";
import type { LoginStore } from "../login/login-store.ts";
import type { LoadedRecord, RecordStore } from "./record-store.ts";
import { createServerKnowledge, type ServerKnowledge } from "./server-knowledge.ts";

export interface ManagedServerInput extends StartableServer {
  readonly version: string;
  readonly now: () => number;
  readonly limits: ClientLimits;
  readonly store: RecordStore;
  readonly report: (diagnostic: ServerDiagnostic) => void;
  /** Whether someone can act on a changed tool list. */
  readonly announceChanges: boolean;
  /** Added to the error of a failed call, such as how the user can see the problem. */
  readonly failureHint?: string | undefined;
  /** Confines a program that a repository requests. */
  readonly confine?: ConfineProgram | undefined;
  /** The user's login to the server, if it may use one. */
  readonly login?: LoginStore | undefined;
}

/** One server of a conversation: started when needed, at most once at a time, and ended with the conversation. */
export interface ManagedServer extends StartableServer {
  readonly failureHint?: string | undefined;
  readonly state: () => ServerState;
  readonly record: () => ServerRecord;
  /** How the known tools differ from those the model is offered; empty if they do not. */
  readonly change: () => string;
  /** Makes the tools known now those the model is offered, until the next call. */
  readonly offer: () => Promise<LoadedRecord>;
  /** Runs an action with a connection, starting the server if necessary. @throws ServerFailure */
  readonly use: <Result>(action: (connection: Connection) => Promise<Result>) => Promise<Result>;
  /** Starts the server and asks for its list. Resolves when that succeeded or failed; a failure is reported. */
  readonly start: () => Promise<void>;
  /** Records and reports that the server was asked in this run and has not answered. */
  readonly recordTimeout: () => void;
  readonly close: () => Promise<void>;
  /** Ends the server without waiting for anything. */
  readonly kill: () => void;
  /** Replaces the server's credentials in a text. */
  readonly mask: (text: string) => string;
}

const TIMED_OUT = new ServerFailure("NO_ANSWER", "did not answer during this run");

/** After these failures, nothing is connected any more. */
const LOST_CODES: ReadonlySet<string> = new Set([
  "NOT_STARTED",
  "ENDED",
  "ENDED_AT_PROBE",
  "CUT_OFF",
]);

/** Nothing is started yet, and nothing of the protocol is loaded. */
export function createManagedServer(input: ManagedServerInput): ManagedServer {
  const { server, timeoutSeconds, isRequested, recheck, failureHint } = input;
  const mask = createServerMask(server, input.login);
  const { announcer, connector, knowledge, refresher, fail } = createParts(input, mask);
  return {
    server,
    timeoutSeconds,
    isRequested,
    recheck,
    failureHint,
    mask,
    state: connector.state,
    record: knowledge.record,
    change: knowledge.change,
    offer: async () => {
      const record = await knowledge.offer();
      announcer.offered();
      return record;
    },
    use: async (action) => {
      try {
        return await action(await connector.open());
      } catch (error) {
        // The next use connects again.
        if (isServerFailure(error) && LOST_CODES.has(error.code)) connector.reset();
        throw error;
      }
    },
    start: async () => {
      try {
        await connector.open();
        await refresher.idle();
      } catch (error) {
        if (!isServerFailure(error)) throw error;
      }
      await knowledge.saved();
    },
    recordTimeout: () => {
      const { kind } = connector.state();
      const isAsked = kind === "starting" || kind === "connected";
      // A run that was interrupted did not wait for an answer.
      if (isAsked && !connector.isClosed() && !knowledge.isCurrent()) fail(TIMED_OUT);
    },
    close: async () => {
      refresher.stop();
      await connector.close();
      await knowledge.saved();
    },
    kill: connector.kill,
  };
}

interface Parts {
  readonly announcer: Announcer;
  readonly connector: Connector;
  readonly knowledge: ServerKnowledge;
  readonly refresher: Refresher;
  /** Records and reports a failure. */
  readonly fail: (failure: ServerFailure) => void;
}

/** Connects the parts: what the connector and the refresher learn goes to the knowledge and the announcer. */
function createParts(input: ManagedServerInput, mask: (text: string) => string): Parts {
  const { server, recheck, now } = input;
  const announcer = createAnnouncer({ ...input, server: server.name, mask });
  const knowledge = createServerKnowledge({ ...input, onUnsaved: announcer.unsaved });
  const fail = ({ message }: ServerFailure): void => {
    knowledge.setFailure({ atMs: now(), message: mask(message) });
    announcer.failed(message, connector.state().kind === "connected");
  };
  const refresh = async (connection: Connection): Promise<void> => {
    try {
      const listing = await fetchListing(connection, server, now());
      if (connector.isClosed()) return;
      knowledge.setListing(listing);
      announcer.toolsChanged(knowledge.change(), listing.problems[0]);
    } catch (error) {
      if (!isServerFailure(error)) throw error;
      // The end of a connection is reported on its own.
      if (connector.state().kind === "connected" && !connector.isClosed()) fail(error);
    }
  };
  const refresher = createRefresher({ changeMs: input.limits.changeMs, refresh });
  const onToolsChanged = (): void => refresher.later(connector.current);
  const connector = createConnector({
    prepare: async () => {
      const { connect } = await import("./connection.ts");
      await knowledge.load();
      await refuseIfDisallowed(recheck);
      const confined = await confineServer(input);
      return async (events) => {
        try {
          return await connect({ ...input, ...events, server: confined, onToolsChanged });
        } catch (error) {
          const isOld = isServerFailure(error) && error.code === "ENDED_AT_PROBE";
          const isAgain = isOld || (confined !== server && isFailedSetup(error));
          if (!isAgain || connector.isClosed()) throw error;
          await refuseIfDisallowed(recheck);
          const again = await confineServer(input);
          return await connect({ ...input, ...events, server: again, onToolsChanged, isOld });
        }
      };
    },
    onConnected: refresher.now,
    onLost: fail,
  });
  return { announcer, connector, knowledge, refresher, fail };
}

/** Only programs are confined: a server that is reached over HTTP runs elsewhere. */
async function confineServer({
  server,
  isRequested,
  confine,
}: ManagedServerInput): Promise<McpServer> {
  const { transport } = server;
  if (isRequested !== true || confine === undefined || transport.kind !== "stdio") return server;
  const confined = await confine(transport);
  if ("reason" in confined) {
    throw new ServerFailure("NOT_STARTED", terminalSafeLine(confined.reason));
  }
  return { ...server, transport: { ...transport, ...confined } };
}

/**
 * Whether bubblewrap gave up before it started the server. That happens when a socket that it hides is removed at that
 * moment, so a second attempt works.
 */
function isFailedSetup(error: unknown): boolean {
  return (
    isServerFailure(error) &&
    (error.code === "ENDED" || error.code === "ENDED_AT_PROBE") &&
    /; last output: bwrap: Can't /.test(error.message)
  );
}

/** The tokens of a login change while a conversation runs. */
function createServerMask(
  server: McpServer,
  login: LoginStore | undefined,
): (text: string) => string {
  const tokens = tokensOf(server);
  if (login === undefined) return createSecretMask(tokens);
  return (text) => createSecretMask([...tokens, ...login.secrets()])(text);
}

/** The headers that authenticate us, whole and without the scheme. */
function tokensOf({ transport }: McpServer): readonly string[] {
  if (transport.kind !== "http") return [];
  return Object.values(transport.headers).flatMap((text) => [text, text.replace(/^\S+ /, "")]);
}

async function refuseIfDisallowed(recheck: StartableServer["recheck"]): Promise<void> {
  const refusal = await recheck?.();
  if (refusal !== undefined) throw new ServerFailure("NOT_STARTED", terminalSafeLine(refusal));
}

interface Refresher {
  /** Refreshes at once. */
  readonly now: (connection: Connection) => void;
  /** Refreshes later, unless that is planned already; the more often, the later. */
  readonly later: (current: () => Promise<Connection> | undefined) => void;
  /** Resolves when the running refresh is done. */
  readonly idle: () => Promise<void>;
  readonly stop: () => void;
}

const MAX_DELAY_MS = 60_000;

/** Refreshes the list of a server. One that changes its list constantly is asked less and less often. */
function createRefresher(input: {
  readonly changeMs: number;
  readonly refresh: (connection: Connection) => Promise<void>;
}): Refresher {
  let running: Promise<void> = Promise.resolve();
  let changes = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  return {
    now: (connection) => {
      running = input.refresh(connection);
    },
    later: (current) => {
      if (timer !== undefined || isStopped) return;
      const delayMs = Math.min(MAX_DELAY_MS, input.changeMs * 2 ** changes);
      changes += 1;
      timer = setTimeout(() => {
        timer = undefined;
        const connecting = current();
        if (connecting === undefined || isStopped) return;
        running = running.then(() => connecting).then(input.refresh);
        // The end of a connection was reported; a bug of ours surfaces where the list is awaited.
        running.catch(() => undefined);
      }, delayMs).unref();
    },
    idle: () => running,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
