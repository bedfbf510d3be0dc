import { isAbsolute, relative, resolve, sep } from "node:path";
import { type Environment, expandTilde, pathStyleOf, isLoopback } from "@caliban/common";
import type { ServerSettings } from "@caliban/settings";
import type { McpTransport } from "../../client/mcp-server.ts";

export interface TransportPlace {
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
  readonly workspaceRoot: string;
  readonly isWish: boolean;
}

/** How a server is reached and what is to be said about that, or why it cannot be. */
export type ResolvedTransport =
  | { readonly transport: McpTransport; readonly notes: readonly string[] }
  | { readonly reason: string };

/** Makes of the settings of a server what it takes to reach it. */
export function resolveTransport(
  settings: ServerSettings,
  place: TransportPlace,
): ResolvedTransport {
  const { command, url } = settings;
  if (command !== undefined && url !== undefined)
    return { reason: "it has both command and url; keep one" };
  if (command !== undefined) return resolveProgram(command, settings, place);
  if (url !== undefined) return resolveAddress(url, settings, place);
  return { reason: "it has neither command nor url" };
}

function resolveProgram(
  command: string,
  settings: ServerSettings,
  place: TransportPlace,
): ResolvedTransport {
  const { env, platform, workspaceRoot } = place;
  const cwd = resolve(workspaceRoot, expanded(settings.cwd ?? ".", place));
  if (place.isWish && !isInside(workspaceRoot, cwd))
    return { reason: "its cwd is outside the workspace, which a repository may not wish for" };
  const passed = (settings.pass_env ?? []).flatMap((name) => {
    const text = env[name];
    return text === undefined ? [] : [[name, text] as const];
  });
  return {
    transport: {
      kind: "stdio",
      command: resolveCommand(command, place),
      args: (settings.args ?? []).map((argument) => expanded(argument, place)),
      env: {
        ...baseEnvironment(env, platform),
        ...Object.fromEntries(passed),
        ...settings.env,
      },
      cwd,
    },
    notes: missing(settings.pass_env ?? [], env),
  };
}

/** A bare name is left to PATH. */
function resolveCommand(command: string, place: TransportPlace): string {
  const path = expanded(command, place);
  const isPath = path.includes("/") || (place.platform === "win32" && path.includes("\\"));
  return isPath ? resolve(place.workspaceRoot, path) : path;
}

function expanded(path: string, { platform, home }: TransportPlace): string {
  return expandTilde(pathStyleOf(platform), path, home);
}

/** As it is reached, so that who is asked does not take another alphabet's letters, or a number, for a name they know. */
function resolveAddress(
  text: string,
  { token_env: variable }: ServerSettings,
  { env }: TransportPlace,
): ResolvedTransport {
  const address = new URL(text);
  const url = address.href;
  if (address.protocol !== "https:" && !isLoopback(address))
    return {
      reason:
        "its url is plain http to another machine, where anybody on the way can read along; use https",
    };
  const token = variable === undefined ? "" : (env[variable] ?? "").trim();
  if (variable === undefined || token === "") {
    const notes = variable === undefined ? [] : missing([variable], {});
    return { transport: { kind: "http", url, headers: {} }, notes };
  }
  if (!/^[!-~]+$/.test(token))
    return {
      reason: `${variable} holds characters that no token has, such as spaces; set it again`,
    };
  const headers = { Authorization: `Bearer ${token}` };
  return { transport: { kind: "http", url, headers }, notes: [] };
}

function missing(names: readonly string[], env: Environment): readonly string[] {
  return names
    .filter((name) => env[name] === undefined)
    .map((name) => `${name} is not set, so it goes without`);
}

/** Whether a path is a directory or below it, as far as the texts tell. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** What hardly any program works without. Nothing here is a secret. */
const POSIX =
  "HOME LANG LANGUAGE LC_ALL LC_CTYPE LOGNAME PATH SHELL TERM TMPDIR TZ USER XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME";
const WINDOWS =
  "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE";

/** The variables that every server is started with, whatever its settings say. */
export function baseEnvironment(
  env: Environment,
  platform: string,
): Readonly<Record<string, string>> {
  const wanted = (platform === "win32" ? WINDOWS : POSIX).split(" ");
  const known = platform === "win32" ? caseless(wanted) : new Set(wanted);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) => {
      const isWanted = known.has(platform === "win32" ? name.toUpperCase() : name);
      // A text that begins like this is a function of a shell, which some shells would run.
      return isWanted && text !== undefined && !text.startsWith("()") ? [[name, text]] : [];
    }),
  );
}

/** Windows writes `Path` and means `PATH`. */
function caseless(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toUpperCase()));
}
