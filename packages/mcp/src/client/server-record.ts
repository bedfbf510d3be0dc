import { isRecord } from "@caliban/common";
import type { McpServer } from "./mcp-server.ts";
import { type ListedTool, parseTools } from "./tool-list.ts";
import { sanitizeLine } from "./untrusted.ts";
import { parseJson } from "@caliban/common";

/** What a server offered when it was last asked. */
export interface ServerListing {
  readonly atMs: number;
  readonly tools: readonly ListedTool[];
  /** What was left out or cut, in sentences. */
  readonly problems: readonly string[];
  /** How many memories it has, where it is a tier and was asked. */
  readonly memories?: number | undefined;
}

/** What is known of a server in one workspace, from whenever it was last used there. */
export interface ServerRecord {
  readonly list?: ServerListing | undefined;
  /** How the last try went, where it went wrong. */
  readonly failure?: { readonly atMs: number; readonly sentence: string } | undefined;
}

/** Whose knowledge it is: of one server, as it is set up, in one workspace. */
export interface RecordKey {
  readonly workspaceRoot: string;
  readonly server: Pick<McpServer, "name" | "fingerprint">;
}

const VERSION = 1;

/** The text of the file that it is kept in. */
export function renderRecord(known: ServerRecord, identity: RecordKey): string {
  const { workspaceRoot, server } = identity;
  const { name, fingerprint } = server;
  return `${JSON.stringify({ version: VERSION, workspaceRoot, name, fingerprint, ...known })}\n`;
}

/** The same again, checked as if a server had sent it; `undefined` for a file that is damaged or about something else. */
export function parseRecord(text: string, identity: RecordKey): ServerRecord | undefined {
  const file = parseJson(text);
  if (!isRecord(file) || file["version"] !== VERSION) return undefined;
  const { workspaceRoot, server } = identity;
  const isSame =
    file["workspaceRoot"] === workspaceRoot && file["fingerprint"] === server.fingerprint;
  if (!isSame) return {};
  const list = parseList(file["list"]);
  const failure = parseFailure(file["failure"]);
  if (list === "damaged" || failure === "damaged") return undefined;
  return { list, failure };
}

function parseList(value: unknown): ServerListing | "damaged" | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value)) return "damaged";
  const { atMs, tools, problems, memories } = value;
  if (typeof atMs !== "number" || !Array.isArray(tools) || !Array.isArray(problems))
    return "damaged";
  const parsed = parseTools(tools);
  const told = problems.filter((problem) => typeof problem === "string");
  return {
    atMs,
    tools: parsed.tools,
    problems: [...told, ...parsed.problems].map((problem) => sanitizeLine(problem, 300)),
    ...(typeof memories === "number" ? { memories } : {}),
  };
}

function parseFailure(value: unknown): ServerRecord["failure"] | "damaged" {
  if (value === undefined) return undefined;
  if (!isRecord(value)) return "damaged";
  const { atMs, sentence } = value;
  if (typeof atMs !== "number" || typeof sentence !== "string") return "damaged";
  return { atMs, sentence: sanitizeLine(sentence, 1_000) };
}
