import { terminalSafeLine } from "@caliban/common";
import type { ServerStatus } from "@caliban/mcp/node";
import type { ToolsChange } from "../../../conversation/conversation.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/mcp`: lists the servers and their tools; `/mcp reload`: restarts them. */
export async function mcp({ words, conversation, invocation }: SlashInput): Promise<SlashResult> {
  const [verb, ...more] = words;
  if (verb === undefined) return { kind: "text", text: renderServers(conversation.servers()) };
  if (verb !== "reload" || more.length > 0) {
    const text = `unknown verb "${terminalSafeLine(words.join(" "))}". Use /mcp or /mcp reload here, or \`${invocation.host.command("mcp")}\` in a shell`;
    return { kind: "error", text };
  }
  const change = await conversation.reloadServers();
  const servers = conversation.servers();
  if (servers.length === 0) return { kind: "text", text: NO_SERVERS };
  return { kind: "text", text: `${renderServers(servers)}\n${renderChange(change)}` };
}

const NO_SERVERS =
  "No MCP servers configured. To add one, set [mcp.servers.<name>] in the settings (see docs/mcp.md).";

/** Each server with its state and its problems. */
export function renderServers(servers: readonly ServerStatus[]): string {
  if (servers.length === 0) return NO_SERVERS;
  return servers.map(renderServer).join("\n");
}

function renderServer(server: ServerStatus): string {
  const { name, label, offeredTools, change, endpoint, source, failure, problems, kind } = server;
  const tools = offeredTools === 1 ? "1 tool" : `${offeredTools} tools`;
  // The label of an absent server already contains its failure.
  const lastError = failure === undefined || kind === "absent" ? [] : [`last error: ${failure}`];
  const pending = change === "" ? [] : [`${change}: /mcp reload`];
  const origin = `${endpoint} (from ${source})`;
  return [`${name}: ${label}, ${tools} offered`, origin, ...pending, ...lastError, ...problems]
    .map((line, index) => `${index === 0 ? "" : "  "}${terminalSafeLine(line)}`)
    .join("\n");
}

function renderChange({ added, removed }: ToolsChange): string {
  const parts = [listed("added", added), listed("removed", removed)].filter((part) => part !== "");
  const summary = parts.length === 0 ? "No tools changed" : parts.join("; ");
  return `${summary}. The prompt was rebuilt, so the provider's cache starts over.`;
}

const MAX_NAMES = 8;

function listed(word: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const hiddenCount = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(", ");
  return `${word}: ${shown}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ""}`;
}
