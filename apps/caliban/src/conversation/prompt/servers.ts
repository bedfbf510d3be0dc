import { decidePermission, type PermissionPolicy, type Tool } from "@caliban/agent-core";
import type { MemoryServer } from "@caliban/memory";
import type { Project } from "../../project/project.ts";
import type {
  ApprovalAnswer,
  AskApproval,
  ServerDiagnostic,
  ServerPool,
  ServerStatus,
  StartableServer,
} from "@caliban/mcp/node";

/** The MCP servers of a conversation. Without a configured server, no code for them is loaded. */
export interface ConversationServers {
  /** The tools that are known now. May ask the user about servers that the repository requests. */
  readonly offer: (input: {
    readonly project: Project;
    readonly policy: PermissionPolicy;
  }) => Promise<OfferedServers>;
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

/** The tools of servers, and the permissions that rules may name even before any tool is known. */
interface OfferedServers {
  readonly tools: readonly Tool[];
  readonly warnings: readonly string[];
  readonly permissions: readonly string[];
}

/** Asks the user about a server that the repository requests. */
export type AskServer = AskApproval;

export interface ConversationServersInput {
  readonly notify: (line: string) => void;
  /** Absent when no one can answer. */
  readonly ask?: AskServer | undefined;
  /** How long `close` waits for tool lists that the next run needs. */
  readonly lingerMs?: number | undefined;
}

const NOTHING: OfferedServers = { tools: [], warnings: [], permissions: [] };

/** Created once for a conversation. `offer` is called again whenever the prompt is rebuilt. */
export function createConversationServers(input: ConversationServersInput): ConversationServers {
  const { lingerMs = 0 } = input;
  const ask = rememberAnswers(input.ask);
  const stopped = Promise.withResolvers<void>();
  let report = input.notify;
  let pool: ServerPool | undefined;
  let isStarted = false;
  let starting: Promise<void> | undefined;
  const inBackground = (work: Promise<void> | undefined): void => {
    work?.catch((error: unknown) => report(`mcp: this is a bug in caliban: ${String(error)}`));
  };
  return {
    offer: async ({ project, policy }) => {
      if (pool === undefined && !hasServers(project)) return NOTHING;
      // Loaded only for a project that configures a server.
      const {
        approveProjectServers,
        createProjectServerPool,
        formatServerDiagnostic,
        hideKeysFromServers,
      } = await import("../../project/mcp-servers.ts");
      await hideKeysFromServers(project);
      const { servers, diagnostics } = await approveProjectServers(project, ask);
      // A run that waits for lists at its end has no one who could use them before.
      const isInteractive = lingerMs === 0;
      const format = (diagnostic: ServerDiagnostic): string =>
        formatServerDiagnostic(diagnostic, { isInteractive });
      pool ??= createProjectServerPool(project, {
        report: (diagnostic) => report(format(diagnostic)),
        announceChanges: isInteractive,
      });
      const usable = servers.filter((server) => isAllowed(server, policy));
      const offered = await pool.offer({ servers: usable, hasTiers: project.options.memory });
      if (isStarted) inBackground(pool.startNew());
      return {
        tools: offered.tools,
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

/** Decided from the settings alone, before any code for servers is loaded. */
function hasServers({ settings }: Project): boolean {
  return (
    Object.keys(settings.trusted["mcp.servers"]).length > 0 || settings.requestedServers.length > 0
  );
}

/** A server whose tools are all denied is never started. */
function isAllowed({ server }: StartableServer, policy: PermissionPolicy): boolean {
  const deny = policy.deny.filter(({ subject }) => subject === undefined);
  const permission = `mcp.${server.name}`;
  const request = { tool: `mcp__${server.name}__`, permission, isReadOnly: false };
  return decidePermission(request, { ...policy, deny, mode: "default" }).kind !== "deny";
}

/** Remembers answers for the whole conversation, so that `/clear` does not ask again. */
function rememberAnswers(ask: AskServer | undefined): AskServer | undefined {
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
