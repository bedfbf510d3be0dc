import { type ServerSummary, summarizeServers } from "@caliban/mcp/node";
import { redactedTexts } from "@caliban/settings";
import type { Project } from "../project/project.ts";
import { hooksOffReason } from "./configured-hooks.ts";
import type { HookRun } from "./hook-record.ts";
import {
  type ConfiguredHook,
  configuredHooks,
  requestedHooks,
  unusableReason,
} from "./resolve-hooks.ts";

/** Whether a hook may run. */
export type HookStanding = ServerSummary["standing"];

/** One configured hook. */
export interface HookSummary {
  readonly name: string;
  readonly source: string;
  readonly isRequested: boolean;
  readonly standing: HookStanding;
  readonly event: string | undefined;
  readonly matcher: string | undefined;
  readonly command: string | undefined;
  /** Problems, as clauses without a final period. */
  readonly notes: readonly string[];
  /** Absent if it has not run in this conversation. */
  readonly run?: HookRun | undefined;
}

export interface HookSummaries {
  readonly hooks: readonly HookSummary[];
  /** Why none of them runs. */
  readonly offReason: string | undefined;
}

/** Summarizes every hook at this moment: the user's own first, then the requested ones. Starts nothing. */
export async function summarizeHooks(
  project: Pick<Project, "environment" | "options" | "workspace" | "settings">,
  runs: ReadonlyMap<string, HookRun> = new Map(),
): Promise<HookSummaries> {
  const configured = configuredHooks(project);
  const requests = configured.some(({ isRequested }) => isRequested)
    ? await summarizeServers(requestedHooks(project))
    : [];
  return {
    offReason: hooksOffReason(project),
    hooks: configured.map((hook) => summarize(hook, { requests, runs })),
  };
}

function summarize(
  hook: ConfiguredHook,
  context: {
    readonly requests: readonly ServerSummary[];
    readonly runs: ReadonlyMap<string, HookRun>;
  },
): HookSummary {
  const { name, source, isRequested, settings } = hook;
  const { event, matcher, command } = settings;
  const { standing, notes } = standingOf(hook, context.requests);
  return {
    name,
    source,
    isRequested,
    standing,
    event,
    matcher,
    // What a repository requests is shown unabridged.
    command: command === undefined || isRequested ? command : redactedTexts([command])[0],
    notes,
    run: context.runs.get(name),
  };
}

function standingOf(
  hook: ConfiguredHook,
  requests: readonly ServerSummary[],
): Pick<HookSummary, "standing" | "notes"> {
  const reason = unusableReason(hook);
  if (hook.settings.enabled === false) return { standing: "turned-off", notes: [] };
  if (reason !== undefined) return { standing: "problem", notes: [reason] };
  if (!hook.isRequested) return { standing: "yours", notes: [] };
  const request = requests.find(({ name }) => name === hook.name);
  return { standing: request?.standing ?? "problem", notes: request?.notes ?? [] };
}
