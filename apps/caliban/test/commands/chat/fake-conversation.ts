import type {
  AgentEvent,
  AgentView,
  Message,
  PermissionMode,
  PermissionPolicy,
  TurnOutcome,
} from "@caliban/agent-core";
import type { Receipt } from "@caliban/memory";
import type { Skill } from "@caliban/skills";
import type { Conversation, ToolsChange } from "../../../src/conversation/conversation.ts";

/** What a scripted turn can use. */
interface FakeTurn {
  readonly text: string;
  readonly view: AgentView;
  /** Asks for permission, as a tool would. */
  readonly ask: NonNullable<AgentView["ask"]>;
  readonly emit: (event: AgentEvent) => void;
  readonly signal: AbortSignal;
  /** Takes what the user sent meanwhile, as a turn does after its tools. */
  readonly takeMessages: () => readonly string[];
}

export interface FakeInput {
  /** What the model does; it ends the turn by default. */
  readonly answer?: (turn: FakeTurn) => Promise<TurnOutcome | void>;
  readonly model?: string;
  readonly defaultModel?: string;
  readonly messages?: readonly Message[];
  readonly approvals?: readonly string[];
  readonly warnings?: ReturnType<Conversation["warnings"]>;
  readonly receipt?: Partial<Receipt>;
  readonly waitingProposals?: number;
  readonly hooks?: Awaited<ReturnType<Conversation["hooks"]>>;
  readonly rules?: Partial<Pick<PermissionPolicy, "allow" | "ask" | "deny">>;
  readonly skills?: readonly Skill[];
  readonly servers?: ReturnType<Conversation["servers"]>;
  /** What the servers report when they are started. */
  readonly serverLines?: readonly string[];
  readonly rewindChoices?: Awaited<ReturnType<Conversation["rewindChoices"]>>;
  /** The files that a rewind cannot bring back. */
  readonly rewindFailures?: Awaited<ReturnType<Conversation["rewind"]>>["files"]["failed"];
  readonly toolsChange?: ToolsChange;
  readonly spent?: ReturnType<Conversation["spent"]>;
}

const NO_RULES: Pick<PermissionPolicy, "allow" | "ask" | "deny"> = { allow: [], ask: [], deny: [] };

/** A scripted conversation, and a log of what was done to it. */
export interface FakeConversation {
  readonly open: () => Promise<Conversation>;
  readonly log: string[];
}

const SPENT: ReturnType<Conversation["spent"]> = {
  usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
  cost: { dollars: 0, unpriced: ["test/scripted"] },
  requests: 1,
  elapsedMs: 1000,
};

export function fakeConversation(input: FakeInput = {}): FakeConversation {
  const log: string[] = [];
  const open = async (): Promise<Conversation> => {
    let view: AgentView = { emit: () => undefined, notify: () => undefined };
    let mode: PermissionMode = "default";
    let model = input.model ?? "test/scripted";
    let messages = input.messages ?? [];
    let approvals = input.approvals ?? [];
    let added = { ...NO_RULES, ...input.rules };
    let running: AbortController | undefined;
    const ask: FakeTurn["ask"] = async (question) => (await view.ask?.(question)) ?? "no";
    const receipt: Receipt = {
      workspaceRoot: "/home/me/app",
      entries: [],
      notices: [],
      totalTokens: 0,
      ceilingTokens: 32_000,
      ...input.receipt,
    };
    return {
      attach: (attached) => {
        view = attached;
      },
      id: () => "20261116-120000-abcdef",
      isSaved: () => true,
      remember: async (fact) => {
        log.push(`remember ${fact}`);
        return { isSaved: true, message: { message: `saved ${fact}` } };
      },
      runCommand: async (command) => void log.push(`run ${command}`),
      holdsSecret: async (text) => text.includes("secret"),
      hooks: async () => input.hooks ?? { hooks: [], offReason: undefined },
      waitingProposals: async () => input.waitingProposals ?? 0,
      model: () => model,
      defaultModel: () => input.defaultModel,
      messages: () => messages,
      send: async (text, { takeMessages = () => [] } = {}) => {
        log.push(`send ${text}`);
        messages = [...messages, { role: "user", text }];
        running = new AbortController();
        const { signal } = running;
        const turn = { text, view, ask, emit: view.emit, signal, takeMessages };
        const outcome = (await input.answer?.(turn)) ?? {
          kind: "done",
        };
        running = undefined;
        view.emit({ type: "turn-end", outcome });
        return outcome;
      },
      interrupt: () => {
        log.push("interrupt");
        running?.abort();
        return running !== undefined;
      },
      compact: async (instructions) => {
        log.push(`compact ${instructions ?? ""}`);
        return { kind: "done" };
      },
      clear: async () => {
        log.push("clear");
        messages = [];
      },
      resume: async (id) => void log.push(`resume ${id}`),
      reload: async () => {
        log.push("reload");
        return receipt;
      },
      rewindChoices: async () => input.rewindChoices ?? [],
      rewind: async ({ to, what, steps }) => {
        log.push(`rewind ${what} to ${to}: ${steps.map(({ display }) => display).join(" ")}`);
        const failed = input.rewindFailures ?? [];
        return {
          files: { restored: steps.map(({ display }) => display), removed: [], failed },
          isConversationRewound: what !== "files" && failed.length === 0,
        };
      },
      useModel: async (name) => {
        log.push(`model ${name}`);
        model = name;
      },
      policy: () => ({ ...added, mode }),
      useMode: (wanted) => {
        log.push(`mode ${wanted}`);
        mode = wanted;
      },
      addRule: (list, rule) => {
        log.push(`${list} ${rule.text}`);
        added = { ...added, [list]: [...added[list], rule] };
      },
      approvals: async () => approvals,
      forget: async (approval) => {
        log.push(`forget ${approval}`);
        approvals = approvals.filter((each) => each !== approval);
        return true;
      },
      tools: () => [],
      skills: () => input.skills ?? [],
      receipt: () => receipt,
      servers: () => input.servers ?? [],
      startServers: (say) => {
        if (input.serverLines !== undefined) log.push("start servers");
        for (const line of input.serverLines ?? []) say(line);
      },
      reloadServers: async () => {
        log.push("reload servers");
        return input.toolsChange ?? { added: [], removed: [] };
      },
      windowUse: () => ({
        windowTokens: 100_000,
        parts: [{ name: "system prompt", tokens: 12_000 }],
      }),
      spent: () => input.spent ?? SPENT,
      notes: () => ({ recall: "messages and calls", count: 2 }),
      screenSettings: () => ({ theme: "dark", notify: "off" }),
      warnings: () => input.warnings ?? [],
      close: async () => void log.push("close"),
    };
  };
  return { open, log };
}
