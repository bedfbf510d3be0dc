import { wrapLines } from "@caliban/common";
import { type Receipt, renderReceipt as render } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../command.ts";
import type { Host } from "../../host.ts";
import { autoMemoryOffReason } from "../../project/auto-memory-off.ts";
import { openProject, type Project } from "../../project/project.ts";
import { memoryWarnings, settingsWarnings } from "../warnings.ts";
import { output } from "./output.ts";

type View = "summary" | "explanation";

/** `caliban memory`: loads the memory and prints the receipt. */
export async function showMemory(invocation: Invocation): Promise<CommandResult> {
  return await showReceipt(invocation, "summary");
}

/** `caliban memory explain`: the same receipt with reasons. */
export async function explainMemory(invocation: Invocation): Promise<CommandResult> {
  return await showReceipt(invocation, "explanation");
}

/** Renders a receipt for a surface, with paths as the user knows them. */
export function renderReceipt(host: Host, receipt: Receipt, view: View = "summary"): string {
  const { home, platform, command } = host;
  return wrapLines(render({ receipt, view, home, platform, command }), host.columns());
}

async function showReceipt(invocation: Invocation, view: View): Promise<CommandResult> {
  const { host } = invocation;
  const project = await openProject(invocation);
  const loaded = await project.memory();
  const receipt = await withServers(loaded.receipt, invocation, project);
  return output(invocation, {
    data: toJson(receipt),
    text: renderReceipt(host, receipt, view) + recallLine(project),
    stderr: [
      ...settingsWarnings(host, project.settings.warnings),
      ...memoryWarnings(host, receipt),
    ],
  });
}

/** Says what gets notes, unless a flag turned memory off anyway. Permission rules may turn it off as well. */
function recallLine(project: Project): string {
  const { settings, options } = project;
  if (options.bare || !options.memory) return "";
  const isOff = autoMemoryOffReason(project) !== undefined;
  return `  recall ${RECALL[isOff ? "off" : settings.values["memory.recall"]]}\n`;
}

const RECALL = {
  auto: "on for messages and calls",
  message: "on for messages",
  off: "off",
} as const;

/** In JSON a message is called `sentence`, which other programs rely on. */
function toJson({ entries, notices, servers, ...receipt }: Receipt): object {
  return {
    workspaceRoot: receipt.workspaceRoot,
    entries: entries.map(entryJson),
    notices: notices.map(({ code, message }) => ({ code, sentence: message })),
    totalTokens: receipt.totalTokens,
    ceilingTokens: receipt.ceilingTokens,
    ...(servers === undefined
      ? {}
      : { servers: servers.map(({ message, ...server }) => ({ ...server, sentence: message })) }),
  };
}

function entryJson(entry: Receipt["entries"][number]): object {
  const { tier, kind, path, scope, importedBy, bytes, tokens, status, reason, message } = entry;
  return { tier, kind, path, scope, importedBy, bytes, tokens, status, reason, sentence: message };
}

/** Adds the last known state of memory servers, because showing memory must not start one. */
async function withServers(
  receipt: Receipt,
  { memory }: Invocation,
  project: Project,
): Promise<Receipt> {
  const { trusted, requestedServers } = project.settings;
  const servers = [
    ...Object.values(trusted["mcp.servers"]),
    ...requestedServers.map(({ settings }) => settings),
  ];
  if (!memory || !servers.some(({ tier }) => tier === "memory")) return receipt;
  const { lastKnownMemoryServers } = await import("../../project/mcp-servers.ts");
  const lastKnown = await lastKnownMemoryServers(project);
  return lastKnown.length === 0 ? receipt : { ...receipt, servers: lastKnown };
}
