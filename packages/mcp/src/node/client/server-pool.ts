import type { Tool } from "@caliban/agent-core";
import type { MemoryServer } from "@caliban/memory";
import type { ConfineProgram } from "@caliban/tools-builtin/node";
import { CLIENT_LIMITS, type ClientLimits } from "../../client/client-limits.ts";
import type { StartableServer } from "../../client/mcp-server.ts";
import { isListingDue, type ServerRecord } from "../../client/server-record.ts";
import {
  memoryServer,
  serverStatus,
  type ServerStatus,
  type ServerStatusInput,
} from "../../client/server-status.ts";
import { offerSkill, type ServerSkill } from "../../client/skill-list.ts";
import { nameTools, type NamedTool } from "../../client/tool-names.ts";
import type { ServerDiagnostic } from "../../server-diagnostic.ts";
import { createLoginStore, type LoginStore } from "../login/login-store.ts";
import { createManagedServer, type ManagedServer } from "./managed-server.ts";
import { createRecordStore, type LoadedRecord } from "./record-store.ts";
import { createMemoryTool, hasMemoryTool, memoryToolName } from "./tools/memory-tool.ts";
import { createServerTool } from "./tools/server-tool.ts";

export interface ServerPoolInput {
  /** The version that is reported to servers. */
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Registers what runs when the process exits, however it exits; returns how to unregister it. */
  readonly onExit: (listener: () => void) => () => void;
  /** Where records are stored between runs; nothing is stored without it. */
  readonly stateDirectory: string | undefined;
  /** A real path. */
  readonly workspaceRoot: string;
  /** Receives what happens while the conversation runs. */
  readonly report: (diagnostic: ServerDiagnostic) => void;
  /** Whether someone can act on a changed tool list. */
  readonly announceChanges: boolean;
  /** Added to the error of a failed call, such as how the user can see the problem. */
  readonly failureHint?: string | undefined;
  readonly limits?: ClientLimits | undefined;
  /** Confines the programs that a repository requests. They run like any other without it. */
  readonly confine?: ConfineProgram | undefined;
}

/** What the model is offered, and what should be reported about it. */
export interface OfferedTools {
  readonly tools: readonly Tool[];
  /** Their names begin with that of their server and a colon. */
  readonly skills: readonly ServerSkill[];
  readonly diagnostics: readonly ServerDiagnostic[];
}

/** The servers of one conversation. */
export interface ServerPool {
  /** Replaces the servers and returns the tools known at this moment. Nothing is started. */
  readonly offer: (input: OfferInput) => Promise<OfferedTools>;
  /** Starts the servers that are not running, all at once. Failures are reported. */
  readonly start: () => Promise<void>;
  /** Starts those that were not tried yet. */
  readonly startNew: () => Promise<void>;
  /** Starts those whose list is unknown or older than a day, unless they failed a few minutes ago. */
  readonly startDue: () => Promise<void>;
  /** Records which of the started servers have not answered yet. */
  readonly recordTimeouts: () => void;
  /** Ends all servers and starts them again. */
  readonly restart: () => Promise<void>;
  readonly statuses: () => readonly ServerStatus[];
  /** The fourth memory tier at this moment. */
  readonly memoryServers: () => readonly MemoryServer[];
  readonly close: () => Promise<void>;
}

interface OfferInput {
  readonly servers: readonly StartableServer[];
  /** Whether servers can be a memory tier in this run. */
  readonly hasTiers: boolean;
}

/** Creates the servers of a conversation. Nothing of the protocol is loaded before a server is started. */
export function createServerPool(input: ServerPoolInput): ServerPool {
  const { now } = input;
  const manage = createManage(input);
  let pool: readonly ManagedServer[] = [];
  let named: readonly NamedTool[] = [];
  let [hasTiers, isClosed] = [false, false];
  let unregister: (() => void) | undefined;
  const statusInputs = (): readonly ServerStatusInput[] =>
    pool.map((managed) => ({
      server: managed.server,
      state: managed.state(),
      record: managed.record(),
      offeredTools: named.filter(({ server }) => server === managed.server.name).length,
      change: managed.change(),
      nowMs: now(),
    }));
  return {
    offer: async ({ servers, hasTiers: withTiers }) => {
      const next = servers.map(
        (one) => pool.find((managed) => keyOf(managed) === keyOf(one)) ?? manage(one),
      );
      const removed = pool.filter((managed) => !next.includes(managed));
      [pool, hasTiers] = [next, withTiers];
      // Whatever ends this process, no server stays behind.
      unregister ??= input.onExit(() => {
        for (const managed of pool) managed.kill();
      });
      await closeAll(removed);
      const records = await Promise.all(pool.map((managed) => managed.offer()));
      const isFetched = (record: ServerRecord): boolean =>
        input.announceChanges || isListingDue(record, now());
      const offered = offerTools(pool, records, { hasTiers, isFetched });
      ({ named } = offered);
      return offered;
    },
    start: () => startAll(pool),
    startNew: () => startAll(pool.filter((managed) => managed.state().kind === "idle")),
    startDue: () => startAll(pool.filter((managed) => isListingDue(managed.record(), now()))),
    recordTimeouts: () => {
      for (const managed of pool) managed.recordTimeout();
    },
    restart: async () => {
      await closeAll(pool);
      // A pool that was closed in the meantime must not start servers that no one ends.
      if (isClosed) return;
      pool = pool.map(manage);
      await startAll(pool);
    },
    statuses: () => statusInputs().map(serverStatus),
    memoryServers: () =>
      hasTiers ? statusInputs().flatMap((status) => memoryServer(status) ?? []) : [],
    close: async () => {
      isClosed = true;
      await closeAll(pool);
      unregister?.();
    },
  };
}

async function startAll(pool: readonly ManagedServer[]): Promise<void> {
  await Promise.all(pool.map((managed) => managed.start()));
}

async function closeAll(pool: readonly ManagedServer[]): Promise<void> {
  await Promise.all(pool.map((managed) => managed.close()));
}

function createManage(input: ServerPoolInput): (startable: StartableServer) => ManagedServer {
  const { version, now, report, announceChanges, failureHint, limits = CLIENT_LIMITS } = input;
  const store = createRecordStore(input.stateDirectory, input.workspaceRoot);
  return ({ server, timeoutSeconds, isRequested, recheck }) =>
    createManagedServer({
      server,
      timeoutSeconds,
      isRequested,
      recheck,
      confine: input.confine,
      login: loginOf({ server, isRequested }, input.stateDirectory),
      version,
      now,
      limits,
      store,
      report,
      announceChanges,
      failureHint,
    });
}

/** Only the user's own servers have a login, and only those without a token from a variable. */
function loginOf(
  {
    server: { name, transport },
    isRequested = false,
  }: Pick<StartableServer, "server" | "isRequested">,
  stateDirectory: string | undefined,
): LoginStore | undefined {
  if (isRequested || stateDirectory === undefined || transport.kind !== "http") return undefined;
  if (Object.keys(transport.headers).length > 0) return undefined;
  return createLoginStore({ stateDirectory, name, url: transport.url });
}

function keyOf({ server, timeoutSeconds, isRequested = false }: StartableServer): string {
  return JSON.stringify([server, timeoutSeconds, isRequested]);
}

interface OfferOptions {
  readonly hasTiers: boolean;
  /** Whether a server is going to be asked for its list, judging by its record. */
  readonly isFetched: (record: ServerRecord) => boolean;
}

function offerTools(
  pool: readonly ManagedServer[],
  records: readonly LoadedRecord[],
  { hasTiers, isFetched }: OfferOptions,
): OfferedTools & { readonly named: readonly NamedTool[] } {
  const tiers = hasTiers ? pool.filter(hasMemoryTool) : [];
  const lists = pool.map(({ server }, index) => ({
    server: server.name,
    tools: records[index]?.listing?.tools ?? [],
  }));
  const taken = tiers.map(({ server }) => memoryToolName(server.name));
  const { tools: named, diagnostics } = nameTools(lists, taken);
  const serverTools = named.flatMap((each) => {
    const managed = pool.find(({ server }) => server.name === each.server);
    return managed === undefined ? [] : [createServerTool(each, managed)];
  });
  return {
    named,
    tools: [...serverTools, ...tiers.map(createMemoryTool)],
    skills: pool
      .flatMap(({ server }, index) =>
        (records[index]?.listing?.skills ?? []).map((skill) => offerSkill(server.name, skill)),
      )
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    diagnostics: [
      ...pool.flatMap((managed, index) => {
        const record = records[index] ?? {};
        return recordDiagnostics(managed, record, isFetched(record));
      }),
      ...diagnostics,
    ],
  };
}

/** What the user should know about a server that offers nothing yet. */
function recordDiagnostics(
  { server: { name: server }, state }: ManagedServer,
  { listing, failure, problem }: LoadedRecord,
  isFetched: boolean,
): readonly ServerDiagnostic[] {
  const damaged: readonly ServerDiagnostic[] =
    problem === undefined ? [] : [{ server, code: "RECORD_DAMAGED", message: problem }];
  // A server that failed a moment ago, such as after a reload, was reported then.
  if (listing !== undefined || state().kind === "absent") return damaged;
  const why = failure === undefined ? "" : ` (${failure.message})`;
  const message = isFetched
    ? "tools not loaded yet; fetching in the background for the next session"
    : `failed recently; retrying in a few minutes${why}`;
  return [...damaged, { server, code: "TOOLS_NOT_LOADED", message }];
}
