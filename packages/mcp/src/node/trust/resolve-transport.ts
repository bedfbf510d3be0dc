import { isAbsolute, relative, resolve, sep } from "node:path";
import { type Environment, expandTilde, isLoopback, pathStyleOf } from "@caliban/common";
import type { McpTransport } from "../../client/mcp-server.ts";
import type { ServerConfig } from "../../trust/server-entry.ts";

export interface TransportEnvironment {
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
  /** A real path. */
  readonly workspaceRoot: string;
}

interface TransportInput extends TransportEnvironment {
  readonly isRequested: boolean;
}

/** How a server is reached, with notes for the user, or why it cannot be. */
export type ResolvedTransport =
  | { readonly transport: McpTransport; readonly notes: readonly string[] }
  | { readonly reason: string };

/** Turns the settings of a server into a transport. */
export function resolveTransport(config: ServerConfig, input: TransportInput): ResolvedTransport {
  const { command, url } = config;
  if (command !== undefined && url !== undefined)
    return { reason: "it has both command and url; remove one" };
  if (command !== undefined) return resolveProgram(command, config, input);
  if (url !== undefined) return resolveUrl(url, config, input);
  return { reason: "it has neither command nor url" };
}

function resolveProgram(
  command: string,
  config: ServerConfig,
  input: TransportInput,
): ResolvedTransport {
  const { env, platform, workspaceRoot } = input;
  const cwd = resolve(workspaceRoot, expanded(config.cwd ?? ".", input));
  if (input.isRequested && !isInside(workspaceRoot, cwd))
    return { reason: "its cwd is outside the workspace, which a repository may not request" };
  const passed = (config.pass_env ?? []).flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    transport: {
      kind: "stdio",
      command: resolveCommand(command, input),
      args: (config.args ?? []).map((argument) => expanded(argument, input)),
      env: { ...baseEnvironment(env, platform), ...Object.fromEntries(passed), ...config.env },
      cwd,
    },
    notes: missingVariables(config.pass_env ?? [], env),
  };
}

/** A path is relative to the workspace; a bare name is left to PATH. */
function resolveCommand(command: string, input: TransportInput): string {
  const path = expanded(command, input);
  const isPath = path.includes("/") || (input.platform === "win32" && path.includes("\\"));
  return isPath ? resolve(input.workspaceRoot, path) : path;
}

function expanded(path: string, { platform, home }: TransportInput): string {
  return expandTilde(pathStyleOf(platform), path, home);
}

/** Variables that hardly any program works without. None of them holds a secret. */
const POSIX_VARIABLES =
  "HOME LANG LANGUAGE LC_ALL LC_CTYPE LOGNAME PATH SHELL TERM TMPDIR TZ USER XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME";
const WINDOWS_VARIABLES =
  "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE";

/** The variables that every server gets, whatever its settings say. */
function baseEnvironment(env: Environment, platform: string): Readonly<Record<string, string>> {
  const isWindows = platform === "win32";
  const base = new Set((isWindows ? WINDOWS_VARIABLES : POSIX_VARIABLES).split(" "));
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) => {
      // Windows spells PATH as `Path`.
      const isBase = base.has(isWindows ? name.toUpperCase() : name);
      // A value that starts like this is an exported shell function, which some shells would run.
      return isBase && text !== undefined && !text.startsWith("()") ? [[name, text]] : [];
    }),
  );
}

/**
 * Uses the normalized URL, so that the user is not asked about a lookalike letter or a numeric address that passes for a
 * known name.
 */
function resolveUrl(
  text: string,
  { token_env: variable, client_id: clientId }: ServerConfig,
  { env, isRequested }: TransportInput,
): ResolvedTransport {
  const address = new URL(text);
  const url = address.href;
  if (address.protocol !== "https:" && !isLoopback(address))
    return {
      reason: "its url uses plain http to another machine, which others can read; use https",
    };
  const token = variable === undefined ? "" : (env[variable] ?? "").trim();
  if (variable === undefined || token === "") {
    const notes = variable === undefined ? [] : missingVariables([variable], {});
    // No login is used for a server that a repository requests.
    const known = clientId === undefined || isRequested ? {} : { clientId };
    return { transport: { kind: "http", url, headers: {}, ...known }, notes };
  }
  if (!/^[!-~]+$/.test(token))
    return {
      reason: `${variable} contains characters that no token has, such as spaces; set it again`,
    };
  const headers = { Authorization: `Bearer ${token}` };
  return { transport: { kind: "http", url, headers }, notes: [] };
}

function missingVariables(names: readonly string[], env: Environment): readonly string[] {
  return names
    .filter((name) => env[name] === undefined)
    .map((name) => `${name} is not set, so the server runs without it`);
}

/** Whether a path is a directory or below it, judging by the texts alone. */
export function isInside(directory: string, path: string): boolean {
  const below = relative(directory, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}
