import type { ToolResult, ToolRunner } from "@caliban/agent-core";
import { createMcpTools } from "@caliban/tools-builtin/mcp";
import { createConversationRunner, projectApprovals } from "../../../../apps/caliban/src/conversation/turn/tool-runner.ts";
import type { Host } from "../../../../apps/caliban/src/host.ts";
import { isRecord } from "@caliban/common";
import type { ChangeHub } from "./change-hub.ts";
import { offTextForClients } from "./instructions.ts";
import { PROTOCOL_CODE, ProtocolError } from "./protocol-error.ts";
import { readResource } from "./read-resource.ts";
import type { ServedProject } from "../../../../apps/caliban/src/commands/mcp/served-project.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";

/** A project that is served, and what tells of its changes. */
export interface OpenProject {
  readonly project: ServedProject;
  readonly hub: ChangeHub;
}

/** What one client has of a project. */
export interface ClientView {
  readonly project: ServedProject;
  readonly listTools: ReturnType<typeof createMcpTools>["list"];
  /** @throws ProtocolError for a tool that there is not */
  readonly callTool: ReturnType<typeof createMcpTools>["call"];
  readonly subscriptions: Subscriptions;
  readonly personSpoke: ToolRunner["onUserMessage"];
  readonly close: () => void;
}

export interface ClientViewInput {
  readonly host: Host;
  readonly open: OpenProject;
  /** The client's name for itself. */
  readonly clientName: string | undefined;
  readonly notifyUpdate: (address: string) => Promise<void>;
  readonly notifyList: () => Promise<void>;
  /** Says one line to the person. */
  readonly say: (line: string) => void;
}

export function createClientView(input: ClientViewInput): ClientView {
  const { host, open, clientName, notifyUpdate, notifyList, say } = input;
  const { project, hub } = open;
  const { session, policy, tools, withheld } = project;
  const runner = createConversationRunner({
    host,
    project: session,
    agent: { tools, deniedTools: withheld },
    approvals: projectApprovals(host, session),
    policy: () => policy,
    sessionId: sessionOfClient(clientName),
    notify: say,
  });
  const mcp = createMcpTools(tools, async (call) => withoutPlaces(await runner.run(call), project));
  const subscriptions = createSubscriptions({
    read: (address) => readResource(address, project),
    notify: notifyUpdate,
  });
  return {
    project,
    listTools: mcp.list,
    callTool: async (params, signal) => {
      refuseUnknownTool(params.name, project);
      return await mcp.call(params, signal);
    },
    subscriptions,
    personSpoke: runner.onUserMessage,
    close: hub.add({
      onListChange: notifyList,
      onChange: subscriptions.check,
      needsLooking: () => subscriptions.has("memory://prefix"),
    }),
  };
}

function refuseUnknownTool(
  name: string,
  { offBy, tools, withheld }: Pick<ServedProject, "offBy" | "tools" | "withheld">,
): void {
  if ([...tools, ...withheld].some((tool) => tool.name === name)) return;
  const what = `There is no tool ${JSON.stringify(name.slice(0, 60))} here`;
  const there = tools.map((tool) => tool.name).join(", ") || "none";
  const sentence =
    offBy === undefined ? `${what}; there are: ${there}.` : `${what}. ${offTextForClients(offBy)}`;
  throw new ProtocolError(PROTOCOL_CODE.invalidParams, sentence);
}

/** Only errors speak of places. A conflict shows a whole note, which is to be merged as it is. */
function withoutPlaces(
  result: ToolResult,
  { hidePlaces }: Pick<ServedProject, "hidePlaces">,
): ToolResult {
  const { text, isError, data } = result;
  const isConflict = isRecord(data) && data["code"] === "CONFLICT";
  return isError === true && !isConflict ? { ...result, text: hidePlaces(text) } : result;
}

const MOST_CHARACTERS = 60;
const NOT_PLAIN = /[^\p{L}\p{N}._@/ -]+/gu;

/** A client's name for itself as a session in the history: `mcp:claude-code`. It may hold anything, and no other kind of session looks like it. */
export function sessionOfClient(name: string | undefined): string {
  const plain = (name ?? "")
    .slice(0, MOST_CHARACTERS * 4)
    .toWellFormed()
    .normalize("NFKC")
    .replaceAll(NOT_PLAIN, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return `mcp:${plain.slice(0, MOST_CHARACTERS).toWellFormed().trim() || "unnamed"}`;
}
