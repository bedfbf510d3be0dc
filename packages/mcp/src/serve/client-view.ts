import type { PermissionQuestion, ToolResult, ToolRunner } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { createMcpTools, type McpToolResult } from "@caliban/tools-builtin/mcp";
import { appTools, callAppTool } from "./app/memory-app.ts";
import type { Approval, ApprovalRequest } from "./approval.ts";
import type { ChangeNotifier } from "./resources/change-notifier.ts";
import { clientOffText } from "./instructions.ts";
import { PROTOCOL_CODE, ProtocolError } from "./protocol-error.ts";
import type { ServedMemory } from "./served-memory.ts";
import type { Subscriptions } from "./resources/subscriptions.ts";

/** A memory and the notifier of its changes, shared by all clients that it is served to. */
export interface OpenMemory {
  readonly memory: ServedMemory;
  readonly changes: ChangeNotifier;
}

/** What one client sees of a memory. */
export interface ClientView {
  readonly memory: ServedMemory;
  readonly listTools: ReturnType<typeof createMcpTools>["list"];
  /** @throws ProtocolError for an unknown tool */
  readonly callTool: (
    params: ToolCallParams,
    context: ToolCallContext,
  ) => Promise<McpToolResult | ApprovalRequest>;
  /** Only for a client that subscribes to one resource after the other, as before 2026-07-28. */
  readonly subscriptions?: Subscriptions | undefined;
  readonly onUserMessage: ToolRunner["onUserMessage"];
}

interface ToolCallParams {
  readonly name: string;
  readonly arguments?: unknown;
}

interface ToolCallContext {
  readonly signal: AbortSignal;
  readonly approval: Approval;
}

export interface ClientViewInput extends Pick<ClientView, "memory" | "subscriptions"> {
  /** The name that the client gives itself. */
  readonly clientName: string | undefined;
  /** Whether it shows pages of servers; it does not by default. */
  readonly showsApps?: boolean | undefined;
}

export function createClientView(input: ClientViewInput): ClientView {
  const { memory, subscriptions, clientName, showsApps = false } = input;
  const apps = appTools(memory, showsApps);
  const session = clientSession(clientName);
  const runner = memory.createRunner(session);
  const toolsOf = ({ run }: Pick<ToolRunner, "run">): ReturnType<typeof createMcpTools> =>
    createMcpTools(memory.tools, async (call) => withoutPaths(await run(call), memory));
  const mcp = toolsOf(runner);
  return {
    memory,
    listTools: () => ({ tools: [...mcp.list().tools, ...apps] }),
    callTool: async (params, { signal, approval }) => {
      const shown = callAppTool(params.name, apps);
      if (shown !== undefined) return shown;
      refuseUnknownTool(params.name, memory);
      if (approval === "unavailable" || !isChange(params.name, memory))
        return await mcp.call(params, signal);
      const questions: PermissionQuestion[] = [];
      // With a runner of its own, so that no other call gets this answer.
      const asking = memory.createRunner(session, async (question) => {
        questions.push(question);
        return approval === "given" ? "once" : "no";
      });
      const result = await toolsOf(asking).call(params, signal);
      const [question] = questions;
      return question !== undefined && approval === "possible" ? { question } : result;
    },
    subscriptions,
    onUserMessage: runner.onUserMessage,
  };
}

/** What may be read is decided again for each topic, where no one can be asked. */
function isChange(name: string, { tools }: ServedMemory): boolean {
  return tools.some((tool) => tool.name === name && !tool.isReadOnly);
}

const MAX_NAME_CHARACTERS = 60;
const NOT_PLAIN = /[^\p{L}\p{N}._@/ -]+/gu;

/** A client as a session in the history: `mcp:claude-code`. The name is untrusted; no other kind of session looks like it. */
export function clientSession(name: string | undefined): string {
  const plain = (name ?? "")
    .slice(0, MAX_NAME_CHARACTERS * 4)
    .toWellFormed()
    .normalize("NFKC")
    .replaceAll(NOT_PLAIN, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  // A word that does not fit is left out: half of a token would not be recognized as a secret.
  const isCut = plain.length > MAX_NAME_CHARACTERS;
  const words = isCut ? plain.slice(0, MAX_NAME_CHARACTERS + 1).replace(/\S*$/, "") : plain;
  return `mcp:${words.toWellFormed().trim() || "unnamed"}`;
}

function refuseUnknownTool(name: string, { offBy, tools, deniedTools }: ServedMemory): void {
  if ([...tools, ...deniedTools].some((tool) => tool.name === name)) return;
  const problem = `no such tool: ${JSON.stringify(name.slice(0, 60))}`;
  const available = tools.map((tool) => tool.name).join(", ") || "none";
  const message =
    offBy === undefined
      ? `${problem}; available: ${available}`
      : `${problem}. ${clientOffText(offBy)}`;
  throw new ProtocolError(PROTOCOL_CODE.invalidParams, message);
}

/** Only errors mention paths. A conflict shows a whole topic, which must stay as it is to be merged. */
function withoutPaths(result: ToolResult, { redactPaths }: ServedMemory): ToolResult {
  const { text, isError, data } = result;
  const isConflict = isRecord(data) && data["code"] === "CONFLICT";
  if (isError !== true || isConflict || redactPaths === undefined) return result;
  return { ...result, text: redactPaths(text) };
}
