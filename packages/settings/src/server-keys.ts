import type { NamedTables, TableKeyRow } from "./named-tables.ts";
import { serverOddities } from "./server-oddities.ts";

/** What is said about one MCP server, by the keys of `[mcp.servers.<name>]`. */
export interface ServerSettings {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly pass_env?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  readonly token_env?: string | undefined;
  readonly tier?: "memory" | undefined;
  readonly memory_tool?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly timeout_seconds?: number | undefined;
}

/** Every `[mcp.servers.<name>]` by its name. */
export type ServerTable = Readonly<Record<string, ServerSettings>>;

/** One row per key of a server; the checks and docs/settings.md are made from it. */
const SERVER_KEYS: Readonly<Record<keyof ServerSettings, TableKeyRow>> = {
  command: {
    kind: "text",
    doc: "The program to start. One with a path separator is looked for from the workspace root, any other on PATH; `~/` is your home.",
  },
  args: {
    kind: "texts",
    doc: "Its arguments. No shell reads them; `~/` at their beginning is your home.",
  },
  env: {
    kind: "variables",
    doc: "Variables it is started with, besides a few that every program needs (PATH, HOME, LANG, TERM and the like).",
  },
  pass_env: {
    kind: "variable-names",
    doc: "Variables of your environment that are handed on to it. Nothing else is, above all no key.",
  },
  cwd: { kind: "text", doc: "The directory it is started in; the workspace root when left out." },
  url: {
    kind: "server-url",
    doc: "Where a server that is reached by HTTP is, instead of `command`.",
  },
  token_env: {
    kind: "variable-name",
    doc: "The variable that holds the bearer token for `url`. The token itself never stands in a settings file.",
  },
  tier: {
    kind: "choice",
    choices: { memory: "what it offers is a fourth tier of memory, looked at on demand" },
    doc: "What it is used for besides its tools.",
  },
  memory_tool: {
    kind: "text",
    doc: 'With `tier = "memory"`: the tool whose result is the list of memories; without it, the resources are.',
  },
  enabled: {
    kind: "switch",
    doc: "`false` turns it off, and a server of that name that a repository wishes for as well.",
  },
  timeout_seconds: {
    kind: "count",
    range: { least: 1, most: 3600 },
    doc: "How long one call may take; 60 when left out.",
  },
};

/** `[mcp.servers.<name>]` */
export const SERVERS: NamedTables = {
  setting: "mcp.servers",
  noun: "server",
  example: "mcp.servers.github.command",
  keys: SERVER_KEYS,
  isName: isServerName,
  nameRule:
    "the name of a server has at most 32 lower-case letters, digits, - and _, no two _ side by side and none at an end, as in [mcp.servers.my-server]",
  keyItselfRefused:
    'a token does not belong into settings: put it into an environment variable and name that with token_env (for url) or pass_env (for command), as in token_env = "MY_SERVER_TOKEN".',
  oddities: serverOddities,
};

/** Tools are called `mcp__<server>__<tool>`: a name with two _ could be taken for another server with another tool. */
function isServerName(name: string): boolean {
  return name.length <= 32 && /^[a-z0-9]+(?:-+[a-z0-9]+|_[a-z0-9]+)*$/.test(name);
}
