import type { MemoryServer } from "@caliban/memory";
import { timeAgo } from "@caliban/common";
import type { ServerRecord } from "./server-record.ts";
import type { McpServer } from "./mcp-server.ts";
import type { LinkState } from "../node/client/managed-server.ts";

/** How a server is, for people. */
export interface ServerStatus {
  readonly name: string;
  readonly source: string;
  /** The command or the address that it is reached by. */
  readonly endpoint: string;
  readonly kind: "connected" | "starting" | "absent" | "known" | "unknown";
  /** The same in words: `connected`, `known since 3 h ago, not connected`. */
  readonly label: string;
  /** How many of its tools the model is offered. */
  readonly offeredTools: number;
  /** How its list differs from what the model is offered, in words; empty when it does not. */
  readonly change: string;
  /** Why it last failed, when it has done so since it was last connected. */
  readonly failure?: string | undefined;
  /** What of its list was left out or cut. */
  readonly problems: readonly string[];
}

export interface ServerStatusInput {
  readonly server: McpServer;
  readonly state: LinkState;
  readonly known: ServerRecord;
  readonly offeredTools: number;
  readonly change: string;
  readonly nowMs: number;
}

/** Where a server stands, from what happened in this conversation and what is kept of earlier ones. */
export function serverStatus(input: ServerStatusInput): ServerStatus {
  const { server, known, offeredTools, change } = input;
  return {
    name: server.name,
    source: server.source,
    endpoint: placeOf(server),
    ...kindOf(input),
    offeredTools,
    change,
    failure: known.failure?.sentence,
    problems: known.list?.problems ?? [],
  };
}

function kindOf({ state, known, nowMs }: ServerStatusInput): Pick<ServerStatus, "kind" | "words"> {
  if (state.kind === "absent")
    return { kind: "absent", label: `absent: skipped: ${state.sentence}` };
  if (state.kind !== "idle") return { kind: state.kind, label: state.kind };
  const { list, failure } = known;
  if (failure !== undefined) {
    const words = `absent: skipped ${ago(failure.atMs, nowMs)}: ${failure.sentence}`;
    return { kind: "absent", label: words };
  }
  if (list === undefined) return { kind: "unknown", label: "not connected yet" };
  return { kind: "known", label: `known since ${ago(list.atMs, nowMs)}, not connected` };
}

function ago(thenMs: number, nowMs: number): string {
  const words = timeAgo(thenMs, nowMs);
  return words === "now" ? "a moment ago" : words;
}

function placeOf({ transport }: McpServer): string {
  if (transport.kind === "http") return transport.url;
  return [transport.command, ...transport.args].join(" ");
}

/** The row of a server in the receipt; `undefined` for one that is no tier. */
export function memoryServer(input: ServerStatusInput): MemoryServer | undefined {
  const { server, known } = input;
  if (server.tier !== "memory") return undefined;
  const { kind, label: words } = kindOf(input);
  const { list } = known;
  const { memoryTool } = server;
  if (memoryTool === undefined) {
    const memories = list?.memories;
    return {
      name: server.name,
      state: kind,
      message: words,
      ...(memories === undefined ? {} : { memories }),
    };
  }
  const isMissing = list !== undefined && !list.tools.some(({ name }) => name === memoryTool);
  if (!isMissing || kind === "absent") return { name: server.name, state: kind, message: words };
  const sentence = `absent: skipped: it has no tool ${memoryTool}`;
  return { name: server.name, state: "absent", message: sentence };
}
