import { offeredTools, type PermissionPolicy, type Tool } from "@caliban/agent-core";
import type { MemoryServer } from "@caliban/memory";
import type { StartableServer } from "../../client/mcp-server.ts";
import type { ServerSkill } from "../../client/skill-list.ts";
import type { ServerStatus } from "../../client/server-status.ts";
import type { ServerDiagnostic } from "../../server-diagnostic.ts";
import type { ApprovalAnswer, AskApproval } from "../../trust/approval-question.ts";
import type { ApprovedServers } from "../trust/approve-servers.ts";
import type { ServerPool, ServerPoolInput } from "./server-pool.ts";

/** The servers of a conversation, from its first prompt to its end. Nothing is loaded before a server is configured. */
export interface ConversationServers {
  /** The tools that are known now. Called again whenever the prompt is rebuilt. */
  readonly offer: (input: OfferInput) => Promise<OfferedServers>;
  /** Starts all servers in the background, and reports what happens to them from now on. */
  readonly start: (report: (line: string) => void) => void;
  /** Starts the servers whose tools are not known, once the model is answering. */
  readonly startUnknown: () => void;
  /** Restarts all servers; resolves when each has answered or failed. */
  readonly restart: () => Promise<void>;
  readonly statuses: () => readonly ServerStatus[];
  readonly memoryServers: () => readonly MemoryServer[];
  /** Ends the wait of `close`. */
  readonly stopWaiting: () => void;
  readonly close: () => Promise<void>;
}

interface OfferInput {
  /** A server whose tools are all denied is neither offered nor started. */
  readonly policy: PermissionPolicy;
  /** Whether servers can be a memory tier in this run. */
  readonly hasTiers: boolean;
  /** Finds the servers that may be used. Returns `undefined` when none is configured. */
  readonly open: (ask: AskApproval | undefined) => Promise<OpenedServers | undefined>;
}

/** The servers that may be used, and how to create the pool that runs them. */
export interface OpenedServers extends ApprovedServers {
  readonly createPool: (input: Pick<ServerPoolInput, "report" | "announceChanges">) => ServerPool;
}

/** The tools of servers, and the permissions that rules may name even before any tool is known. */
interface OfferedServers {
  readonly tools: readonly Tool[];
  /** Their names begin with that of their server and a colon. */
  readonly skills: readonly ServerSkill[];
  readonly warnings: readonly string[];
  readonly permissions: readonly string[];
}

export interface ConversationServersInput {
  /** Renders a message about a server. */
  readonly format: (diagnostic: ServerDiagnostic) => string;
  /** Receives messages until `start` names another receiver. */
  readonly notify: (line: string) => void;
  /** Asks the user about requested servers, once for each. Absent when no one can answer. */
  readonly ask?: AskApproval | undefined;
  /**
   * How long `close` waits for tool lists that the next run needs. A run that waits has no one who could use the lists
   * before, so changes are not announced.
   */
  readonly lingerMs?: number | undefined;
}

const NOTHING: OfferedServers = { tools: [], skills: [], warnings: [], permissions: [] };

/** Creates the servers of one conversation. */
export function createConversationServers(input: ConversationServersInput): ConversationServers {
  const { lingerMs = 0, format } = input;
  const ask = rememberAnswers(input.ask);
  const stopped = Promise.withResolvers<void>();
  let report = input.notify;
  let pool: ServerPool | undefined;
  let isStarted = false;
  let starting: Promise<void> | undefined;
  const inBackground = (work: Promise<void> | undefined): void => {
    work?.catch((error: unknown) =>
      report(`mcp: this is a bug, please report it: ${String(error)}`),
    );
  };
  return {
    offer: async ({ policy, hasTiers, open }) => {
      const opened = await open(ask);
      pool ??= opened?.createPool({
        report: (diagnostic) => report(format(diagnostic)),
        announceChanges: lingerMs === 0,
      });
      if (pool === undefined) return NOTHING;
      const { servers, diagnostics } = opened ?? { servers: [], diagnostics: [] };
      const usable = servers.filter((server) => isAllowed(server, policy));
      const offered = await pool.offer({ servers: usable, hasTiers });
      if (isStarted) inBackground(pool.startNew());
      return {
        tools: offered.tools,
        skills: offered.skills,
        warnings: [...diagnostics, ...offered.diagnostics].map(format),
        permissions: servers.map(({ server }) => `mcp.${server.name}`),
      };
    },
    start: (listener) => {
      report = listener;
      isStarted = true;
      inBackground(pool?.start());
    },
    startUnknown: () => {
      starting ??= pool?.startDue();
      inBackground(starting);
    },
    restart: async () => await pool?.restart(),
    statuses: () => pool?.statuses() ?? [],
    memoryServers: () => pool?.memoryServers() ?? [],
    stopWaiting: stopped.resolve,
    close: async () => {
      if (lingerMs > 0 && starting !== undefined) {
        const waited = pause(lingerMs).then(() => pool?.recordTimeouts());
        await Promise.race([starting.catch(() => undefined), stopped.promise, waited]);
      }
      await pool?.close();
    },
  };
}

function isAllowed({ server: { name } }: StartableServer, policy: PermissionPolicy): boolean {
  const anyTool = { name: `mcp__${name}__`, permission: `mcp.${name}`, isReadOnly: false };
  return offeredTools([anyTool], policy).length > 0;
}

/** Remembers answers for the whole conversation, so that a rebuilt prompt does not ask again. */
function rememberAnswers(ask: AskApproval | undefined): AskApproval | undefined {
  if (ask === undefined) return undefined;
  const answers = new Map<string, ApprovalAnswer>();
  return async (question) => {
    const { fingerprint } = question.request.server;
    const answer = answers.get(fingerprint) ?? (await ask(question));
    answers.set(fingerprint, answer);
    return answer;
  };
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
