import { existsSync } from "node:fs";
import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { type ConfiguredServers, resolveServers, type ServerEntry } from "@caliban/mcp/node";
import type { HookEvent, HookSettings } from "@caliban/settings";
import type { Project } from "../project/project.ts";
import { secretValues, secretVariables } from "../project/secret-variables.ts";
import { KILL_SWITCH } from "./configured-hooks.ts";
import type { Hook, HookProgram } from "./hook.ts";

/** A hook as the settings describe it. */
export interface ConfiguredHook {
  readonly name: string;
  /** As shown to the user. */
  readonly source: string;
  readonly isRequested: boolean;
  readonly settings: HookSettings;
}

type HookProject = Pick<Project, "environment" | "workspace" | "settings">;

/** All hooks of a project: the user's own first, then those that the repository requests. */
export function configuredHooks({ settings, environment }: HookProject): readonly ConfiguredHook[] {
  const { platform, home } = environment;
  const shown = (path: string): string => abbreviateHome(pathStyleOf(platform), path, home);
  const effective = settings.effective.find(({ key }) => key === "hooks");
  const source = shown(effective?.origins.at(-1)?.where ?? "settings");
  return [
    ...Object.entries(settings.trusted.hooks).map(([name, own]) => {
      return { name, source, isRequested: false, settings: own };
    }),
    ...settings.requestedHooks.map(({ name, settings: requested, path }) => {
      return { name, source: shown(path), isRequested: true, settings: requested };
    }),
  ];
}

/** Why a hook never runs; `undefined` for one that can. */
export function unusableReason({ settings, isRequested }: ConfiguredHook): string | undefined {
  const { enabled, event, command } = settings;
  if (enabled === false) return "it is turned off (enabled = false)";
  if (event === undefined) return "it has no event";
  if (command === undefined) return "it has no command";
  if (isRequested && event !== "PreToolUse")
    return `it is for ${event}, and a hook of a repository can only be for PreToolUse`;
  return undefined;
}

const DEFAULT_TIMEOUT_SECONDS = 30;

/** The hooks of the user that can run. */
export function ownHooks(project: HookProject): readonly Hook[] {
  return configuredHooks(project).flatMap((hook) => {
    const { name, settings, isRequested } = hook;
    const { event, command, matcher } = settings;
    if (isRequested || event === undefined || command === undefined) return [];
    if (unusableReason(hook) !== undefined) return [];
    const program = {
      command: findShell(project),
      args: shellArguments(command, event, matcher),
      env: ownEnvironment(project),
      cwd: project.workspace.root,
    };
    const timeoutSeconds = timeoutOf(settings);
    return { name, event, matcher, isRequested, timeoutSeconds, prepare: async () => program };
  });
}

function timeoutOf({ timeout_seconds: seconds }: HookSettings): number {
  return seconds ?? DEFAULT_TIMEOUT_SECONDS;
}

/**
 * The hooks that the repository requests, as programs that need approval. The event and the tools are arguments, so that
 * an approval covers them: `$1` and `$2` of the command.
 */
export function requestedHooks(project: HookProject): ConfiguredServers {
  const { environment, workspace, settings } = project;
  const requested = configuredHooks(project).filter(
    (hook) => hook.isRequested && unusableReason(hook) === undefined,
  );
  return resolveServers({
    ...environment,
    workspaceRoot: workspace.root,
    kind: "hook",
    entries: requested.map((hook) => toEntry(project, hook)),
    protectedVariables: secretVariables(settings),
  });
}

function toEntry(project: HookProject, { name, source, settings }: ConfiguredHook): ServerEntry {
  const { command = "", event = "PreToolUse", matcher } = settings;
  return {
    name,
    source,
    isRequested: true,
    config: {
      command: findShell(project),
      args: shellArguments(command, event, matcher),
      env: { [KILL_SWITCH]: "1" },
      timeout_seconds: timeoutOf(settings),
    },
  };
}

function shellArguments(
  command: string,
  event: HookEvent,
  matcher: string | undefined,
): readonly string[] {
  return ["-c", command, "caliban-hook", event, matcher ?? "*"];
}

function findShell({ environment }: HookProject): string {
  if (environment.platform === "win32") return "bash";
  return existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
}

/** Without the keys of model providers, whatever variable they are in. */
function ownEnvironment({ environment, settings }: HookProject): HookProgram["env"] {
  const secrets = new Set(secretValues(settings, environment.env));
  const shown = Object.entries(environment.env).filter(([, value = ""]) => !secrets.has(value));
  return { ...Object.fromEntries(shown), [KILL_SWITCH]: "1" };
}
