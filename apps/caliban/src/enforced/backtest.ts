import { isAbsolute, relative, resolve, sep } from "node:path";
import { type EnforcedRule, matchingEnforced, type PermissionRequest } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { isSessionsError, type SessionMessage, type SessionToolCall } from "@caliban/sessions";
import { type SessionFile, sessionFiles, streamMessages } from "@caliban/sessions/node";

/** Calls of past sessions that a rule would have matched, grouped by what they were about. */
export interface BacktestHit {
  readonly effect: EnforcedRule["effect"];
  readonly rule: string;
  readonly tool: string;
  /** The command or the path; empty for a tool that has neither. */
  readonly subject: string;
  readonly count: number;
  /** The last session with such a call. */
  readonly session: string;
  /** When that session last changed. */
  readonly atMs: number;
}

export interface BacktestReport {
  readonly sessions: number;
  /** How many session files could not be read. */
  readonly unreadable: number;
  readonly calls: number;
  /** How many calls at least one rule matched. */
  readonly matched: number;
  /** The most frequent first. Very many different ones are not all listed, but counted. */
  readonly hits: readonly BacktestHit[];
}

export interface BacktestInput {
  /** The directory of the sessions. */
  readonly directory: string;
  /** The root of the workspace, to which rules about files are relative. */
  readonly root: string;
  readonly rules: readonly EnforcedRule[];
}

const MAX_HITS = 1_000;

/** Replays rules over the stored sessions of a project. Sessions are streamed, so that their size does not matter. */
export async function backtest(input: BacktestInput): Promise<BacktestReport> {
  const hits = new Map<string, BacktestHit>();
  const counts = { sessions: 0, unreadable: 0, calls: 0, matched: 0 };
  // Newest first, so that the first session with a hit is the last one that had it.
  for (const file of sessionFiles(input.directory)) {
    try {
      for await (const call of callsOf(file)) {
        counts.calls += 1;
        counts.matched += countMatches(hits, { call, file, ...input }) > 0 ? 1 : 0;
      }
      counts.sessions += 1;
    } catch (error) {
      if (!isSessionsError(error)) throw error;
      counts.unreadable += 1;
    }
  }
  return { ...counts, hits: [...hits.values()].toSorted((one, other) => other.count - one.count) };
}

async function* callsOf({ path }: SessionFile): AsyncGenerator<SessionToolCall> {
  for await (const message of streamMessages({ path, format: "caliban" })) {
    for (const call of callsIn(message)) yield call;
  }
}

function callsIn(message: SessionMessage): readonly SessionToolCall[] {
  if (message.role !== "assistant") return [];
  return message.parts.filter((part) => part.type === "tool-call");
}

interface ReplayedCall extends Pick<BacktestInput, "root" | "rules"> {
  readonly call: SessionToolCall;
  readonly file: SessionFile;
}

/** Returns how many rules match the call. */
function countMatches(
  hits: Map<string, BacktestHit>,
  { call, file, root, rules }: ReplayedCall,
): number {
  const request = toRequest(call, root);
  if (request === undefined) return 0;
  const matching = matchingEnforced(request, rules);
  for (const { effect, text } of matching) {
    const { tool, subject = "" } = request;
    const key = JSON.stringify([effect, text, tool, subject]);
    const { id: session, updatedMs: atMs } = file;
    const hit = hits.get(key) ?? { effect, rule: text, tool, subject, session, atMs, count: 0 };
    if (hit.count > 0 || hits.size < MAX_HITS) hits.set(key, { ...hit, count: hit.count + 1 });
  }
  return matching.length;
}

/** A tool as rules see it: its permission, and the part of its input that patterns are matched against. */
interface KnownTool {
  readonly name: string;
  readonly permission: string;
  readonly isReadOnly: boolean;
  readonly field?: "command" | "file_path" | "path" | "name" | "url";
}

/** The tools of a conversation without servers. */
export const KNOWN_TOOLS: readonly KnownTool[] = [
  { name: "Bash", permission: "shell.run", isReadOnly: false, field: "command" },
  { name: "BashOutput", permission: "shell.read", isReadOnly: true },
  { name: "Write", permission: "fs.write", isReadOnly: false, field: "file_path" },
  { name: "Edit", permission: "fs.write", isReadOnly: false, field: "file_path" },
  { name: "Read", permission: "fs.read", isReadOnly: true, field: "file_path" },
  { name: "Grep", permission: "fs.read", isReadOnly: true, field: "path" },
  { name: "Glob", permission: "fs.read", isReadOnly: true, field: "path" },
  { name: "ReadMemoryTopic", permission: "memory.read", isReadOnly: true, field: "name" },
  { name: "MemorySearch", permission: "memory.search", isReadOnly: true },
  { name: "WriteMemoryTopic", permission: "memory.write", isReadOnly: false },
  { name: "DeleteMemoryTopic", permission: "memory.delete", isReadOnly: false },
  { name: "Skill", permission: "skill.read", isReadOnly: true },
  { name: "TodoWrite", permission: "todo.write", isReadOnly: true },
  { name: "WebFetch", permission: "web.fetch", isReadOnly: true, field: "url" },
];

/** `undefined` for a call that was invalid: it never ran. */
function toRequest({ name, input }: SessionToolCall, root: string): PermissionRequest | undefined {
  const known = KNOWN_TOOLS.find((tool) => tool.name === name);
  if (known === undefined) {
    const [, server = ""] = name.split("__");
    return { tool: name, permission: `mcp.${server}`, isReadOnly: false };
  }
  const { permission, isReadOnly, field } = known;
  if (field === undefined) return { tool: name, permission, isReadOnly };
  const value = isRecord(input)
    ? (input[field] ?? (field === "path" ? "." : undefined))
    : undefined;
  if (typeof value !== "string") return undefined;
  if (field === "url") {
    if (!URL.canParse(value)) return undefined;
    return { tool: name, permission, isReadOnly, subject: hostOf(value) };
  }
  const isPath = permission.startsWith("fs.") && !value.startsWith("memory://");
  const subject = isPath ? relativePath(root, value) : value;
  return { tool: name, permission, isReadOnly, subject };
}

/** As WebFetch spells it for rules. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** As file tools spell it for rules. */
function relativePath(root: string, path: string): string {
  const below = relative(root, resolve(root, path));
  if (below === "") return ".";
  const isOutside = below.startsWith("..") || isAbsolute(below);
  return (isOutside ? path : below).split(sep).join("/");
}
