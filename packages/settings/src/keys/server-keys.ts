import type { NamedTables, TableKeyRow, TableWarning } from "./named-tables.ts";
import { hasSecretQuery, looksSecret } from "./secret-texts.ts";

/** The keys of one `[mcp.servers.<name>]`. */
export interface ServerSettings {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly pass_env?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  readonly token_env?: string | undefined;
  readonly client_id?: string | undefined;
  readonly tier?: "memory" | undefined;
  readonly memory_tool?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly timeout_seconds?: number | undefined;
}

/** Every `[mcp.servers.<name>]` by name. */
export type ServerTable = Readonly<Record<string, ServerSettings>>;

/** One row per key of a server, used by the checks and docs/settings.md. */
const SERVER_KEYS: Readonly<Record<keyof ServerSettings, TableKeyRow>> = {
  command: {
    kind: "text",
    doc: "The program to start. With a path separator it is relative to the workspace root, otherwise it is looked up in PATH; `~/` is your home directory.",
  },
  args: {
    kind: "texts",
    doc: "Its arguments. No shell is involved; `~/` at the beginning is your home directory.",
  },
  env: {
    kind: "variables",
    doc: "Environment variables to set, besides the few that every program needs (PATH, HOME, LANG, TERM and so on).",
  },
  pass_env: {
    kind: "variable-names",
    doc: "Variables of your environment to pass on. Nothing else is passed on, least of all API keys.",
  },
  cwd: { kind: "text", doc: "The directory to start it in; the workspace root by default." },
  url: {
    kind: "server-url",
    doc: "The URL of a server that is reached over HTTP, instead of `command`.",
  },
  token_env: {
    kind: "variable-name",
    doc: "The environment variable that contains the bearer token for `url`. The token itself is never in a settings file.",
  },
  client_id: {
    kind: "text",
    doc: "What the authorization server of `url` knows caliban as, for `caliban mcp login` where it registers no clients by itself. It is public. Not used for a server that a repository requests.",
  },
  tier: {
    kind: "choice",
    choices: { memory: "it serves a fourth tier of memory, read on demand" },
    doc: "What the server is used for besides its tools.",
  },
  memory_tool: {
    kind: "text",
    doc: 'With `tier = "memory"`: the tool whose result lists the memories. By default, the resources of the server do.',
  },
  enabled: {
    kind: "switch",
    doc: "`false` turns the server off, and also a server with this name that a repository requests.",
  },
  timeout_seconds: {
    kind: "count",
    range: { min: 1, max: 3600 },
    doc: "How long one call may take; 60 by default.",
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
    "a server name consists of at most 32 lowercase letters, digits, - and _, without two _ in a row or one at an end, as in [mcp.servers.my-server]",
  literalKeyMessage:
    'keep tokens out of settings files. Put the token into an environment variable and name the variable in token_env (with url) or pass_env (with command), as in token_env = "MY_SERVER_TOKEN".',
  findWarnings: serverWarnings,
};

/** Tools are called `mcp__<server>__<tool>`: a name with two _ could be mistaken for another server and tool. */
function isServerName(name: string): boolean {
  return name.length <= 32 && /^[a-z0-9]+(?:-+[a-z0-9]+|_[a-z0-9]+)*$/.test(name);
}

/** Warns about keys without effect and about what looks like a secret. Never repeats a value. */
function serverWarnings(name: string, server: ServerSettings): readonly TableWarning[] {
  return [...shapeWarnings(name, server), ...secretWarnings(name, server)];
}

function shapeWarnings(name: string, server: ServerSettings): readonly TableWarning[] {
  const { command, url, enabled } = server;
  if (enabled === false) return [];
  const whole = `mcp.servers.${name}`;
  if (command === undefined && url === undefined)
    return [noEffect([], `${whole} has neither command nor url, so there is nothing to start.`)];
  if (command !== undefined && url !== undefined)
    return [noEffect(["url"], `${whole} has both command and url, so it is not used; keep one.`)];
  const idle = command === undefined ? ONLY_FOR_COMMANDS : ONLY_FOR_URLS;
  const other = command === undefined ? "command" : "url";
  return [
    ...idle
      .filter((key) => server[key] !== undefined)
      .map((key) => noEffect([key], `${whole}.${key} has no effect without ${other}.`)),
    ...(server.memory_tool !== undefined && server.tier === undefined
      ? [noEffect(["memory_tool"], `${whole}.memory_tool has no effect without tier = "memory".`)]
      : []),
  ];
}

const ONLY_FOR_COMMANDS = ["args", "env", "pass_env", "cwd"] as const;
const ONLY_FOR_URLS = ["token_env", "client_id"] as const;

function noEffect(below: readonly string[], message: string): TableWarning {
  return { below, code: "NO_EFFECT", message };
}

function secretWarnings(
  name: string,
  { env = {}, args = [], url }: ServerSettings,
): readonly TableWarning[] {
  const whole = `mcp.servers.${name}`;
  const variables = Object.entries(env).flatMap(([variable, text]): readonly TableWarning[] => {
    const below = ["env", variable];
    if (/^\$(?:\w+|\{[^}]*\})$/.test(text)) {
      const message = `${whole}.env.${variable} is passed on literally: variables are not expanded. Name the variable in pass_env instead.`;
      return [{ below, code: "NO_EFFECT", message }];
    }
    if (!looksSecret(variable, text)) return [];
    const message = `${whole}.env.${variable} looks like a secret. Keep it in your environment and name it in pass_env, as in pass_env = ["${variable}"].`;
    return [{ below, code: "KEY_IN_SETTINGS", message }];
  });
  const argument = args.some(isSecretArgument) ? [secretWarning("args", `${whole}.args`)] : [];
  const isInQuery = hasSecretQuery(url ?? "");
  return [...variables, ...argument, ...(isInQuery ? [secretWarning("url", `${whole}.url`)] : [])];
}

function isSecretArgument(text: string): boolean {
  const [, option = "", value = text] = /^--?([\w-]+)=([^]*)$/.exec(text) ?? [];
  return looksSecret(option, value);
}

function secretWarning(key: "args" | "url", shown: string): TableWarning {
  const instead = key === "url" ? "token_env" : "pass_env, if the server can read a variable";
  const message = `${shown} contains what looks like a secret. Keep it in your environment and use ${instead}.`;
  return { below: [key], code: "KEY_IN_SETTINGS", message };
}
