import { timeAgo } from "@caliban/common";
import type { MemoryServer } from "@caliban/memory";
import type { McpServer } from "./mcp-server.ts";
import type { ServerRecord } from "./server-record.ts";

/** The state of one server in this run. */
export type ServerState =
  | { readonly kind: "idle" | "starting" | "connected" }
  | { readonly kind: "absent"; readonly message: string };

/** The status of a server, for the user. */
export interface ServerStatus {
  readonly name: string;
  readonly source: string;
  /** The command line or the URL. */
  readonly endpoint: string;
  readonly kind: "connected" | "starting" | "absent" | "known" | "unknown";
  /** The same as text: `connected`, `not connected; last used 3 h ago`. */
  readonly label: string;
  /** How many of its tools the model is offered. */
  readonly offeredTools: number;
  /** How its tools differ from those the model is offered; empty if they do not. */
  readonly change: string;
  /** The last failure, if there was one since it was last connected. */
  readonly failure?: string | undefined;
  /** What was left out of its list, truncated or simplified. */
  readonly problems: readonly string[];
}

export interface ServerStatusInput {
  readonly server: McpServer;
  readonly state: ServerState;
  readonly record: ServerRecord;
  readonly offeredTools: number;
  readonly change: string;
  readonly nowMs: number;
}

/** The status of a server, from what happened in this run and what is recorded from earlier ones. */
export function serverStatus(input: ServerStatusInput): ServerStatus {
  const { server, record, offeredTools, change } = input;
  return {
    name: server.name,
    source: server.source,
    endpoint: endpointOf(server),
    ...kindAndLabel(input),
    offeredTools,
    change,
    failure: record.failure?.message,
    problems: record.listing?.problems ?? [],
  };
}

function kindAndLabel({
  state,
  record,
  nowMs,
}: ServerStatusInput): Pick<ServerStatus, "kind" | "label"> {
  if (state.kind === "absent") return { kind: "absent", label: `unavailable: ${state.message}` };
  if (state.kind !== "idle") return { kind: state.kind, label: state.kind };
  const { listing, failure } = record;
  if (failure !== undefined) {
    const label = `failed ${ago(failure.atMs, nowMs)}: ${failure.message}`;
    return { kind: "absent", label };
  }
  if (listing === undefined) return { kind: "unknown", label: "not connected yet" };
  return { kind: "known", label: `not connected; last used ${ago(listing.atMs, nowMs)}` };
}

function ago(thenMs: number, nowMs: number): string {
  const text = timeAgo(thenMs, nowMs);
  return text === "now" ? "a moment ago" : text;
}

function endpointOf({ transport }: McpServer): string {
  if (transport.kind === "http") return transport.url;
  return [transport.command, ...transport.args].join(" ");
}

/** The entry of a server in the memory receipt; `undefined` if the server is not a memory tier. */
export function memoryServer(input: ServerStatusInput): MemoryServer | undefined {
  const { server, record } = input;
  if (server.tier !== "memory") return undefined;
  const { kind, label } = kindAndLabel(input);
  const { name, memoryTool } = server;
  const { listing } = record;
  if (memoryTool === undefined) {
    const memories = listing?.memories;
    return {
      name,
      state: kind,
      message: label,
      ...(memories === undefined ? {} : { memories }),
    };
  }
  const isMissing =
    listing !== undefined && !listing.tools.some((tool) => tool.name === memoryTool);
  if (!isMissing || kind === "absent") return { name, state: kind, message: label };
  return { name, state: "absent", message: `unavailable: has no tool ${memoryTool}` };
}
