import type { ToolResult, ToolRunner } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { createMcpTools } from "@caliban/tools-builtin/mcp";
import type { ChangeNotifier } from "./resources/change-notifier.ts";
import { clientOffText } from "./instructions.ts";
import { PROTOCOL_CODE, ProtocolError } from "./protocol-error.ts";
import { readResource } from "./resources/read-resource.ts";
import type { ServedMemory } from "./served-memory.ts";
import { createSubscriptions, type Subscriptions } from "./resources/subscriptions.ts";

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
  readonly callTool: ReturnType<typeof createMcpTools>["call"];
  readonly subscriptions: Subscriptions;
  readonly onUserMessage: ToolRunner["onUserMessage"];
  readonly close: () => void;
}

export interface ClientViewInput extends OpenMemory {
  /** The name that the client gives itself. */
  readonly clientName: string | undefined;
  readonly notifyUpdate: (address: string) => Promise<void>;
  readonly notifyList: () => Promise<void>;
}

export function createClientView(input: ClientViewInput): ClientView {
  const { memory, changes, clientName, notifyUpdate, notifyList } = input;
  const runner = memory.createRunner(clientSession(clientName));
  const mcp = createMcpTools(memory.tools, async (call) =>
    withoutPaths(await runner.run(call), memory),
  );
  const subscriptions = createSubscriptions({
    read: (address) => readResource(address, memory),
    notify: notifyUpdate,
  });
  return {
    memory,
    listTools: mcp.list,
    callTool: async (params, signal) => {
      refuseUnknownTool(params.name, memory);
      return await mcp.call(params, signal);
    },
    subscriptions,
    onUserMessage: runner.onUserMessage,
    close: changes.add({
      onListChange: notifyList,
      onChange: subscriptions.check,
      needsPolling: () =>
        memory.watch === undefined
          ? !subscriptions.isEmpty()
          : subscriptions.has("memory://prefix"),
    }),
  };
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
