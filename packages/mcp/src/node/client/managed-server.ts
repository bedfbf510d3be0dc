import { terminalSafeLine } from "@caliban/common";
import type { ClientLimits } from "../../client/limits.ts";
import type { Connection } from "./connection.ts";
import type { ServerListing, ServerRecord } from "../../client/server-record.ts";
import type { RecordStore, LoadedRecord } from "./record-store.ts";
import { describeToolChanges } from "../../client/tool-changes.ts";
import type { McpServer } from "../../client/mcp-server.ts";
import { fetchListing } from "./fetch-list.ts";
import { ServerFailure } from "../../client/server-failure.ts";
import type { ServerTransport } from "./failure-of.ts";
import { tokenMask } from "./token-mask.ts";
import type { ListedTool } from "../../client/tool-list.ts";

/** A server that may be used, and how long one call of it may take. */
export interface UsableServer {
  readonly server: McpServer;
  readonly timeoutSeconds: number;
  /** Asked right before each start: why it may not be started any more, in a sentence. */
  readonly recheck?: (() => Promise<string | undefined>) | undefined;
}

export interface LinkInput extends UsableServer {
  readonly version: string;
  readonly now: () => number;
  readonly limits: ClientLimits;
  readonly store: RecordStore;
  /** One line for the person. */
  readonly say: (line: string) => void;
  /** Whether somebody can do something about a list that is another one now. */
  readonly tellsChanges: boolean;
}

/** Where a server stands. */
export type LinkState =
  | { readonly kind: "idle" | "starting" | "connected" }
  | { readonly kind: "absent"; readonly sentence: string };

/** One server of a conversation: started when it is needed, once at a time, and ended with it. */
export interface ManagedServer extends UsableServer {
  readonly state: () => LinkState;
  readonly known: () => ServerRecord;
  /** How what is known now differs from what the model is offered, in words; empty when it does not. */
  readonly change: () => string;
  /** Takes what is known now as the list that the model is offered, until it is called again. */
  readonly offer: () => Promise<LoadedRecord>;
  /** Does something with it, and starts it before where it must. @throws ServerFailure */
  readonly use: <Result>(action: (connection: Connection) => Promise<Result>) => Promise<Result>;
  /** Starts it and asks for its list; returns when that is done or has failed, which is said. */
  readonly start: () => Promise<void>;
  /** Keeps and tells that it did not answer, where it was asked and has not by now. */
  readonly noteSilence: () => void;
  readonly close: () => Promise<void>;
  /** Ends it without waiting for anything. */
  readonly kill: () => void;
  /** Puts a mark in place of what it is reached with. */
  readonly mask: (text: string) => string;
}

/** What changes in the life of a link. */
interface Life {
  state: LinkState;
  known: ServerRecord;
  offered: readonly ListedTool[] | undefined;
  /** Whether what is known is from this session, or at least from the disk. */
  knownFrom: "nowhere" | "disk" | "server";
  /** What went wrong in this session, which no file knows better. */
  failure: ServerRecord["failure"];
  /** Ends when everything is on the disk. */
  writing: Promise<void>;
  opening: Promise<Connection> | undefined;
  transport: Pick<ServerTransport, "close" | "kill"> | undefined;
  refreshing: Promise<void>;
  /** How often the server said that its list is another one. */
  changes: number;
  timer: NodeJS.Timeout | undefined;
  wasToldOfChange: boolean;
  wasToldOfDisk: boolean;
  lastSaid: string;
  isOver: boolean;
}

/** Nothing is started yet, and nothing of the protocol is loaded. */
export function createManagedServer(input: LinkInput): ManagedServer {
  const { server, timeoutSeconds } = input;
  const life = newLife();
  const mask = tokenMask(server);
  const teller = createTeller(input, life, mask);
  const open = (): Promise<Connection> => (life.opening ??= begin(input, life, teller));
  return {
    server,
    timeoutSeconds,
    recheck: input.recheck,
    mask,
    state: () => life.state,
    known: () => life.known,
    change: () => describeToolChanges(life.offered, life.known.list?.tools ?? life.offered ?? []),
    offer: async () => {
      const problem = await loadKnown(input, life);
      life.offered = life.known.list?.tools;
      life.wasToldOfChange = false;
      return { ...life.known, problem };
    },
    use: async (action) => {
      try {
        return await action(await open());
      } catch (error) {
        // The next one begins anew.
        if (error instanceof ServerFailure && LOST.has(error.code)) life.opening = undefined;
        throw error;
      }
    },
    start: async () => {
      try {
        await open();
        await life.refreshing;
      } catch (error) {
        if (!(error instanceof ServerFailure)) throw error;
      }
      await life.writing;
    },
    noteSilence: () => {
      const isAsked = life.state.kind === "starting" || life.state.kind === "connected";
      // Who left in a hurry did not wait for it.
      if (isAsked && !life.isOver && life.knownFrom !== "server") teller.failed(SILENT);
    },
    close: async () => {
      life.isOver = true;
      clearTimeout(life.timer);
      await life.transport?.close();
      await life.writing;
    },
    kill: () => life.transport?.kill(),
  };
}

function newLife(): Life {
  return {
    state: { kind: "idle" },
    known: {},
    offered: undefined,
    knownFrom: "nowhere",
    failure: undefined,
    writing: Promise.resolve(),
    opening: undefined,
    transport: undefined,
    refreshing: Promise.resolve(),
    changes: 0,
    timer: undefined,
    // Nothing was offered yet that a list could differ from.
    wasToldOfChange: true,
    wasToldOfDisk: false,
    lastSaid: "",
    isOver: false,
  };
}

const SILENT = new ServerFailure("NO_ANSWER", "it did not answer while this run lasted");

/** After these there is nobody at the other end. */
const LOST: ReadonlySet<string> = new Set(["NOT_STARTED", "ENDED", "CUT_OFF"]);

/** What an earlier session learned, until this one knows better; a problem with the file in words. */
async function loadKnown({ store, server }: LinkInput, life: Life): Promise<string | undefined> {
  if (life.knownFrom === "server") return undefined;
  const { list, failure, problem } = await store.read(server);
  life.known = { list, failure: life.failure ?? failure };
  life.knownFrom = "disk";
  return problem;
}

interface Teller {
  readonly failed: (failure: ServerFailure) => void;
  readonly listed: (list: ServerListing) => void;
}

async function begin(input: LinkInput, life: Life, teller: Teller): Promise<Connection> {
  const { server, version, now, limits } = input;
  life.state = { kind: "starting" };
  const ended = (failure: ServerFailure): void => {
    life.opening = undefined;
    if (life.isOver) return;
    life.state = { kind: "absent", sentence: failure.message };
    teller.failed(failure);
  };
  try {
    const { connect } = await import("./connection.ts");
    if (life.knownFrom === "nowhere") await loadKnown(input, life);
    const refusal = await input.recheck?.();
    if (refusal !== undefined) throw new ServerFailure("NOT_STARTED", withoutStop(refusal));
    if (life.isOver) throw new ServerFailure("INTERRUPTED", "the conversation has ended");
    const connection = await connect({
      server,
      version,
      now,
      limits,
      onToolsChanged: () => refreshLater(input, life, teller),
      onEnd: ended,
      onTransport: (transport) => {
        life.transport = transport;
      },
    });
    life.state = { kind: "connected" };
    life.refreshing = refresh(connection, { input, life, teller });
    return connection;
  } catch (error) {
    if (error instanceof ServerFailure) ended(error);
    throw error;
  }
}

function withoutStop(sentence: string): string {
  return terminalSafeLine(sentence).replace(/\.$/, "");
}

interface Refreshing {
  readonly input: LinkInput;
  readonly life: Life;
  readonly teller: Teller;
}

/** Asks for the list, keeps it for the next session, and tells what is new. */
async function refresh(connection: Connection, { input, life, teller }: Refreshing): Promise<void> {
  try {
    const list = await fetchListing(connection, input.server, input.now());
    if (life.isOver) return;
    life.known = { list };
    life.failure = undefined;
    life.knownFrom = "server";
    teller.listed(list);
    keep(input, life);
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error;
    // Its end is told by itself.
    if (life.state.kind === "connected" && !life.isOver) teller.failed(error);
  }
}

const LATEST_MS = 60_000;

/** The more often a list changes, the later it is looked at. */
function refreshLater(input: LinkInput, life: Life, teller: Teller): void {
  if (life.timer !== undefined || life.isOver) return;
  const delayMs = Math.min(LATEST_MS, input.limits.changeMs * 2 ** life.changes);
  life.changes += 1;
  life.timer = setTimeout(() => {
    life.timer = undefined;
    const { opening } = life;
    if (opening === undefined || life.isOver) return;
    life.refreshing = life.refreshing
      .then(() => opening)
      .then((connection) => refresh(connection, { input, life, teller }));
    // What ended meanwhile was told; a fault of ours is met where the list is waited for.
    life.refreshing.catch(() => undefined);
  }, delayMs).unref();
}

/** Tells the person what happens beside the conversation, each thing once. */
function createTeller(input: LinkInput, life: Life, mask: (text: string) => string): Teller {
  const { server, say, now } = input;
  // Without a screen nobody can type it.
  const more = input.tellsChanges ? " (/mcp)" : "";
  const tell = (words: string): void => {
    const line = `mcp: ${server.name}: ${mask(words)}`;
    if (line !== life.lastSaid) say(line);
    life.lastSaid = line;
  };
  return {
    failed: (failure) => {
      const sentence = mask(failure.message);
      life.failure = { atMs: now(), sentence };
      life.known = { ...life.known, failure: life.failure };
      const absent = life.state.kind === "connected" ? "" : "absent, skipped: ";
      tell(`${absent}${sentence}${more}`);
      keep(input, life);
    },
    listed: (list) => {
      const change = describeToolChanges(life.offered, list.tools);
      if (!input.tellsChanges || life.wasToldOfChange || change === "") return;
      life.wasToldOfChange = true;
      const [problem] = list.problems;
      const also = problem === undefined ? "" : `; ${problem}${more}`;
      tell(`${change}; so it is from the next session on, or now with /mcp reload${also}`);
    },
  };
}

/** One after the other, so that the last word is the one that stays. */
function keep({ store, server, say }: LinkInput, life: Life): void {
  const { known } = life;
  const write = async (): Promise<void> => {
    const problem = await store.write(server, known);
    if (problem !== undefined && !life.wasToldOfDisk)
      say(terminalSafeLine(`mcp: ${server.name}: ${problem}`));
    life.wasToldOfDisk ||= problem !== undefined;
  };
  life.writing = life.writing.then(write);
  life.writing.catch(() => undefined);
}
