import { terminalSafeLine } from "@caliban/common";
import type { ToolsChange } from "../../../agent/conversation.ts";
import type { ServerStatus } from "../../../../../../packages/mcp/src/client/server-status.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/mcp`: the servers, how each of them is, and what it offers; with `reload`, all of it anew. */
export async function mcp({ words, conversation }: SlashInput): Promise<SlashResult> {
  const [verb, ...more] = words;
  if (verb === undefined) return { kind: "text", text: renderServers(conversation.servers()) };
  if (verb !== "reload" || more.length > 0) {
    const text = `/mcp cannot ${terminalSafeLine(words.join(" "))}; there are /mcp and /mcp reload, and \`caliban mcp list\` in a shell.`;
    return { kind: "mistake", text };
  }
  const change = await conversation.reloadServers();
  const servers = conversation.servers();
  if (servers.length === 0) return { kind: "text", text: NONE };
  return { kind: "text", text: `${renderServers(servers)}\n${renderChange(change)}` };
}

const NONE =
  "There are no MCP servers. [mcp.servers.<name>] in the settings sets one up: docs/mcp.md.";

/** One server after the other, with what is wrong about it. */
export function renderServers(servers: readonly ServerStatus[]): string {
  if (servers.length === 0) return NONE;
  return servers.map(renderServer).join("\n");
}

function renderServer(server: ServerStatus): string {
  const { name, label: words, offeredTools, change, endpoint: place, source, failure, problems, kind } = server;
  const tools = offeredTools === 1 ? "1 tool" : `${offeredTools} tools`;
  // An absent one has it in its words.
  const last = failure === undefined || kind === "absent" ? [] : [`last error: ${failure}`];
  const waiting = change === "" ? [] : [`${change}: /mcp reload`];
  const from = `${place} (from ${source})`;
  return [`${name}: ${words}, ${tools} offered`, from, ...waiting, ...last, ...problems]
    .map((line, index) => `${index === 0 ? "" : "  "}${terminalSafeLine(line)}`)
    .join("\n");
}

function renderChange({ added, gone }: ToolsChange): string {
  const parts = [listed("new", added), listed("gone", gone)].filter((part) => part !== "");
  const what = parts.length === 0 ? "No tool came or went" : parts.join("; ");
  return `${what}. Prompt and tools were built anew, so the provider's cache begins again.`;
}

const MOST_NAMED = 8;

function listed(word: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const rest = names.length - MOST_NAMED;
  const named = names.slice(0, MOST_NAMED).join(", ");
  return `${word}: ${named}${rest > 0 ? ` and ${rest} more` : ""}`;
}
