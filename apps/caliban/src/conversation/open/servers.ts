import { decidePermission, type PermissionPolicy } from "@caliban/agent-core";
import { userDirectories } from "@caliban/common";
import type { MemoryServer } from "@caliban/memory";
import type { Project } from "../../project/project.ts";
import type {
  ServerPool,
  OfferedTools,
} from "../../../../../packages/mcp/src/node/client/server-pool.ts";
import type { ServerStatus } from "../../../../../packages/mcp/src/client/server-status.ts";
import type {
  AskApproval,
  ApprovalAnswer,
  StartableServer,
} from "../../../../../packages/mcp/src/node/trust/approve-servers.ts";

/** The MCP servers of a conversation; where none is set up, nothing of them is loaded. */
export interface ConversationServers {
  /** The tools of what is known of them now. The person may be asked about those that the repository wishes for. */
  readonly offer: (input: {
    readonly project: Project;
    readonly policy: PermissionPolicy;
  }) => Promise<OfferedServers>;
  /** Starts all of them beside the conversation, and tells from here on what happens to them. */
  readonly start: (say: (line: string) => void) => void;
  /** Starts those that nothing is known of, once an answer is under way. */
  readonly startUnknown: () => void;
  /** Ends all and starts them again; returns when each has answered or failed. */
  readonly restart: () => Promise<void>;
  readonly statuses: () => readonly ServerStatus[];
  readonly memoryServers: () => readonly MemoryServer[];
  /** Nobody wants to wait any more. */
  readonly stopWaiting: () => void;
  readonly close: () => Promise<void>;
}

/** The tools of servers, and the permissions that rules may speak of, also where no tool is known yet. */
interface OfferedServers extends OfferedTools {
  readonly permissions: readonly string[];
}

export interface ConversationServersInput {
  readonly notify: (line: string) => void;
  /** Left out where nobody can answer. */
  readonly ask?: AskApproval | undefined;
  /** How long the end waits for lists that the next run needs; nobody waits for an answer then. */
  readonly lingerMs?: number | undefined;
}

const NOTHING: OfferedServers = { tools: [], warnings: [], permissions: [] };

/** Made once for a conversation; what a session is offered is taken anew whenever its prompt is. */
export function createConversationServers(input: ConversationServersInput): ConversationServers {
  const { lingerMs = 0 } = input;
  const ask = rememberedAnswers(input.ask);
  const hurried = Promise.withResolvers<void>();
  let say = input.notify;
  let running: ServerPool | undefined;
  let isStarted = false;
  let asking: Promise<void> | undefined;
  const inBackground = (work: Promise<void> | undefined): void => {
    work?.catch((error: unknown) => say(`mcp: this is a bug in caliban: ${String(error)}`));
  };
  return {
    offer: async ({ project, policy }) => {
      if (running === undefined && !hasServers(project)) return NOTHING;
      const [{ createServerPool: createMcpSession }, { openServers }] = await Promise.all([
        import("../../../../../packages/mcp/src/node/client/server-pool.ts"),
        import("../../commands/mcp/open-servers.ts"),
      ]);
      const { host, options } = project;
      const { servers, notices } = await openServers({ project, ask });
      running ??= createMcpSession({
        host,
        stateHome: userDirectories(host).state,
        workspaceRoot: project.workspace.root,
        say: (line) => say(line),
        // Where the end waits for lists, nobody is there to take them up before it.
        tellsChanges: lingerMs === 0,
      });
      const usable = servers.filter((server) => isAllowed(server, policy));
      const taken = await running.take({ servers: usable, hasTiers: options.memory });
      if (isStarted) inBackground(running.startNew());
      return {
        tools: taken.tools,
        warnings: [...notices, ...taken.warnings],
        permissions: servers.map(({ server }) => `mcp.${server.name}`),
      };
    },
    start: (tell) => {
      say = tell;
      isStarted = true;
      inBackground(running?.start());
    },
    startUnknown: () => {
      asking ??= running?.startUnknown();
      inBackground(asking);
    },
    restart: async () => await running?.restart(),
    statuses: () => running?.states() ?? [],
    memoryServers: () => running?.memoryServers() ?? [],
    stopWaiting: hurried.resolve,
    close: async () => {
      if (lingerMs > 0 && asking !== undefined) {
        const waited = pause(lingerMs).then(() => running?.noteSilence());
        await Promise.race([asking.catch(() => undefined), hurried.promise, waited]);
      }
      await running?.close();
    },
  };
}

/** Whether there is anything to look at, before any of it is. */
function hasServers({ settings }: Project): boolean {
  return Object.keys(settings.trusted["mcp.servers"]).length > 0 || settings.wishes.length > 0;
}

/** One whose every tool is denied is not started at all. */
function isAllowed({ server }: StartableServer, policy: PermissionPolicy): boolean {
  const deny = policy.deny.filter(({ subject }) => subject === undefined);
  const permission = `mcp.${server.name}`;
  const request = { tool: `mcp__${server.name}__`, permission, isReadOnly: false };
  return decidePermission(request, { ...policy, deny, mode: "default" }).kind !== "deny";
}

/** An answer holds as long as the conversation: whoever begins anew is not asked the same again. */
function rememberedAnswers(ask: AskApproval | undefined): AskApproval | undefined {
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
