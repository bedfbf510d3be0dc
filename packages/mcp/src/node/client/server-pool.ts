import type { Tool } from "@caliban/agent-core";
import type { MemoryServer } from "@caliban/memory";
import type { Host } from "../../../../../apps/caliban/src/host.ts";
import { CLIENT_LIMITS, type ClientLimits } from "../../client/limits.ts";
import type { ServerRecord } from "../../client/server-record.ts";
import { createRecordStore, type LoadedRecord } from "./record-store.ts";
import { createMemoryTool, hasMemoryTool, memoryToolName } from "./tools/memory-tool.ts";
import { isToBeAsked, notKnown } from "./not-known.ts";
import { createManagedServer, type ManagedServer, type UsableServer } from "./managed-server.ts";
import {
  memoryServer,
  serverStatus,
  type ServerStatus,
  type ServerStatusInput,
} from "../../client/server-status.ts";
import { createServerTool } from "./tools/server-tool.ts";
import { nameTools, type NamedTool } from "../../client/tool-names.ts";

export interface ServerPoolInput {
  readonly host: Pick<Host, "now" | "version" | "onExit">;
  readonly stateHome: string | undefined;
  readonly workspaceRoot: string;
  /** One line for the person, from whatever happens beside the conversation. */
  readonly say: (line: string) => void;
  /** Whether somebody is there who can take up a list that is another one now. */
  readonly tellsChanges: boolean;
  readonly limits?: ClientLimits | undefined;
}

/** What the model is offered, and what is to be said about it. */
export interface OfferedTools {
  readonly tools: readonly Tool[];
  readonly warnings: readonly string[];
}

/** The servers of one conversation. */
export interface ServerPool {
  /** Makes tools of what is known of these servers at this moment; nothing is started for it. */
  readonly take: (wish: TakeWish) => Promise<OfferedTools>;
  /** Starts those that are not there yet, at once and each on its own; what goes wrong is said. */
  readonly start: () => Promise<void>;
  /** The same for those that were not tried yet. */
  readonly startNew: () => Promise<void>;
  /** The same for those whose lists are not known, or not since yesterday, unless they failed a moment ago. */
  readonly startUnknown: () => Promise<void>;
  /** Keeps which of those did not answer by now. */
  readonly noteSilence: () => void;
  /** Ends all and starts them again. */
  readonly restart: () => Promise<void>;
  readonly states: () => readonly ServerStatus[];
  /** The fourth tier, as it is now. */
  readonly memoryServers: () => readonly MemoryServer[];
  readonly close: () => Promise<void>;
}

interface TakeWish {
  readonly servers: readonly UsableServer[];
  /** Whether a server can be a tier of memory in this run. */
  readonly hasTiers: boolean;
}

/** Nothing of the protocol is loaded before a server is started. */
export function createServerPool(input: ServerPoolInput): ServerPool {
  const { host } = input;
  const newLink = createLinks(input);
  let links: readonly ManagedServer[] = [];
  let named: readonly NamedTool[] = [];
  let [hasTiers, isOver] = [false, false];
  let release: (() => void) | undefined;
  const look = (): readonly ServerStatusInput[] =>
    links.map((link) => ({
      server: link.server,
      state: link.state(),
      known: link.known(),
      offeredTools: named.filter(({ server }) => server === link.server.name).length,
      change: link.change(),
      nowMs: host.now(),
    }));
  return {
    take: async (wish) => {
      const next = wish.servers.map(
        (usable) => links.find((link) => keyOf(link) === keyOf(usable)) ?? newLink(usable),
      );
      const gone = links.filter((link) => !next.includes(link));
      links = next;
      ({ hasTiers } = wish);
      // However we end: what we started does not stay behind.
      release ??= host.onExit(() => {
        for (const link of links) link.kill();
      });
      await closeAll(gone);
      const known = await Promise.all(links.map((link) => link.offer()));
      const isAsked = (each: ServerRecord): boolean =>
        input.tellsChanges || isToBeAsked(each, host.now());
      const taken = toolsOf(links, known, { hasTiers, isAsked });
      ({ named } = taken);
      return taken;
    },
    start: () => startAll(links),
    startNew: () => startAll(links.filter((link) => link.state().kind === "idle")),
    startUnknown: () => startAll(links.filter((link) => isToBeAsked(link.known(), host.now()))),
    noteSilence: () => {
      for (const link of links) link.noteSilence();
    },
    restart: async () => {
      await closeAll(links);
      // Whoever leaves meanwhile is not to be followed by what nobody ends.
      if (isOver) return;
      links = links.map(newLink);
      await startAll(links);
    },
    states: () => look().map(serverStatus),
    memoryServers: () => (hasTiers ? look().flatMap((each) => memoryServer(each) ?? []) : []),
    close: async () => {
      isOver = true;
      await closeAll(links);
      release?.();
    },
  };
}

async function startAll(links: readonly ManagedServer[]): Promise<void> {
  await Promise.all(links.map((link) => link.start()));
}

async function closeAll(links: readonly ManagedServer[]): Promise<void> {
  await Promise.all(links.map((link) => link.close()));
}

function createLinks(input: ServerPoolInput): (usable: UsableServer) => ManagedServer {
  const { host, say, tellsChanges, limits = CLIENT_LIMITS } = input;
  const { version, now } = host;
  const store = createRecordStore(input.stateHome, input.workspaceRoot);
  return ({ server, timeoutSeconds, recheck }) =>
    createManagedServer({
      server,
      timeoutSeconds,
      recheck,
      version,
      now,
      limits,
      store,
      say,
      tellsChanges,
    });
}

function keyOf({ server, timeoutSeconds }: UsableServer): string {
  return JSON.stringify([server, timeoutSeconds]);
}

interface ToolWishes {
  readonly hasTiers: boolean;
  /** Whether a server is going to be asked for its list, from what is known of it. */
  readonly isAsked: (known: ServerRecord) => boolean;
}

function toolsOf(
  links: readonly ManagedServer[],
  known: readonly LoadedRecord[],
  { hasTiers, isAsked }: ToolWishes,
): OfferedTools & { readonly named: readonly NamedTool[] } {
  const tiers = hasTiers ? links.filter(hasMemoryTool) : [];
  const lists = links.map(({ server }, index) => ({
    server: server.name,
    tools: known[index]?.list?.tools ?? [],
  }));
  const taken = tiers.map(({ server }) => memoryToolName(server.name));
  const { tools: named, problems } = nameTools(lists, taken);
  const ofServers = named.flatMap((each) => {
    const link = links.find(({ server }) => server.name === each.server);
    return link === undefined ? [] : [createServerTool(each, link)];
  });
  return {
    named,
    tools: [...ofServers, ...tiers.map(createMemoryTool)],
    warnings: [
      ...links.flatMap((link, index) => {
        const read = known[index] ?? {};
        return notKnown(link, read, isAsked(read));
      }),
      ...problems.map((problem) => `mcp: ${problem}`),
    ],
  };
}
