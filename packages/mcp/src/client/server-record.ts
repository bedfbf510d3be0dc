import { isRecord, parseJson } from "@caliban/common";
import type { McpServer } from "./mcp-server.ts";
import { parseStoredSkills, type ServerSkill } from "./skill-list.ts";
import { type ListedTool, parseTools } from "./tool-list.ts";
import { sanitizeLine } from "./untrusted.ts";

/** What a server offered when it was last asked. */
export interface ServerListing {
  readonly atMs: number;
  readonly tools: readonly ListedTool[];
  /** What was left out, truncated or simplified. */
  readonly problems: readonly string[];
  /** The number of memories, if the server is a memory tier and was asked. */
  readonly memories?: number | undefined;
  readonly skills?: readonly ServerSkill[] | undefined;
}

/** What is known about a server in one workspace from the last time it was used there. */
export interface ServerRecord {
  readonly listing?: ServerListing | undefined;
  /** Set if the last attempt failed. */
  readonly failure?: { readonly atMs: number; readonly message: string } | undefined;
}

/** What a record belongs to: one server, with its exact settings, in one workspace. */
export interface RecordKey {
  readonly workspaceRoot: string;
  readonly server: Pick<McpServer, "name" | "fingerprint">;
}

const VERSION = 1;

/** Renders the file that stores a record. Its keys are those of the first version. */
export function renderRecord({ listing, failure }: ServerRecord, key: RecordKey): string {
  const { workspaceRoot, server } = key;
  const { name, fingerprint } = server;
  const stored = {
    version: VERSION,
    workspaceRoot,
    name,
    fingerprint,
    list: listing,
    failure: failure && { atMs: failure.atMs, sentence: failure.message },
  };
  return `${JSON.stringify(stored)}\n`;
}

/**
 * Parses a stored record, trusting it no more than the server. Returns `undefined` for a damaged file and an empty
 * record for one that belongs to another key.
 */
export function parseRecord(text: string, key: RecordKey): ServerRecord | undefined {
  const file = parseJson(text);
  if (!isRecord(file) || file["version"] !== VERSION) return undefined;
  const { workspaceRoot, server } = key;
  const isSame =
    file["workspaceRoot"] === workspaceRoot && file["fingerprint"] === server.fingerprint;
  if (!isSame) return {};
  const listing = parseListing(file["list"]);
  const failure = parseFailure(file["failure"]);
  if (listing === "damaged" || failure === "damaged") return undefined;
  return { listing, failure };
}

function parseListing(value: unknown): ServerListing | "damaged" | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value)) return "damaged";
  const { atMs, tools, problems, memories, skills } = value;
  if (typeof atMs !== "number" || !Array.isArray(tools) || !Array.isArray(problems))
    return "damaged";
  const parsed = parseTools(tools);
  const stored = problems.filter((problem) => typeof problem === "string");
  return {
    atMs,
    tools: parsed.tools,
    problems: [...stored, ...parsed.problems].map((problem) => sanitizeLine(problem, 300)),
    ...(typeof memories === "number" ? { memories } : {}),
    ...(Array.isArray(skills) ? { skills: parseStoredSkills(skills).skills } : {}),
  };
}

function parseFailure(value: unknown): ServerRecord["failure"] | "damaged" {
  if (value === undefined) return undefined;
  if (!isRecord(value)) return "damaged";
  const { atMs, sentence } = value;
  if (typeof atMs !== "number" || typeof sentence !== "string") return "damaged";
  return { atMs, message: sanitizeLine(sentence, 1_000) };
}

const DAY_MS = 86_400_000;
/** A server that never answers must not delay every run. */
const RETRY_AFTER_MS = 600_000;

/** Whether an unattended run asks a server for its list: unknown or a day old, and no failure within ten minutes. */
export function isListingDue({ listing, failure }: ServerRecord, nowMs: number): boolean {
  if (failure !== undefined && nowMs - failure.atMs < RETRY_AFTER_MS) return false;
  return listing === undefined || nowMs - listing.atMs > DAY_MS;
}
