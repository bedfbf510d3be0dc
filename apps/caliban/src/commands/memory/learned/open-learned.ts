import { existsSync } from "node:fs";
import { PipelineError, type PipelineStore } from "@caliban/autonomous-memory";
import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { MemoryError } from "@caliban/memory";
import type { Invocation } from "../../../command.ts";
import { type OffReason, whyOff } from "../../../pipeline/why-off.ts";
import type { LearnedLocation } from "../../../project/locations.ts";
import { openProject, type Project } from "../../../project/project.ts";
import { UsageError } from "../../../usage-error.ts";
import { settingsWarnings } from "../../warnings.ts";

/** The learned memory of a project, for one command. */
export interface OpenLearned {
  readonly project: Project;
  readonly location: LearnedLocation;
  /** Why nothing is learned now; `undefined` when learning is on. */
  readonly off: OffReason | undefined;
  /** Printed on stderr, whatever the command does. */
  readonly warnings: readonly string[];
  /** Formats a path for the user. */
  readonly formatPath: (path: string) => string;
}

/**
 * Finds the learned memory without creating anything.
 * @throws MemoryError `NO_MEMORY_DIRECTORY` when no home directory is known
 */
export async function openLearned(
  invocation: Invocation,
  { forWriting = false }: { readonly forWriting?: boolean } = {},
): Promise<OpenLearned> {
  const { platform, home } = invocation.host;
  const project = await openProject(invocation);
  const { settings } = project;
  const location = await project.learned({ forWriting });
  if (location === undefined) {
    const message =
      "no home directory found for learned memory; set HOME, or XDG_DATA_HOME and XDG_STATE_HOME";
    throw new MemoryError("NO_MEMORY_DIRECTORY", message);
  }
  return {
    project,
    location,
    off: whyOff(project),
    warnings: settingsWarnings(invocation.host, settings.warnings),
    formatPath: (path) => terminalSafeLine(abbreviateHome(pathStyleOf(platform), path, home)),
  };
}

/**
 * Rejects a command that would have no effect.
 * @throws UsageError
 */
export function requireLearning({ off }: Pick<OpenLearned, "off">): void {
  if (off !== undefined) throw new UsageError(`learning from past sessions is off: ${off.message}`);
}

/**
 * Opens the state database, uses it and closes it; `undefined` when it does not exist and should not be created.
 * @throws MemoryError when it cannot be used
 */
export async function withStore<Result>(
  { stateFile }: Pick<LearnedLocation, "stateFile">,
  use: (store: PipelineStore) => Result | Promise<Result>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<Result | undefined> {
  if (!create && !existsSync(stateFile)) return undefined;
  // Loaded only here: without a state file, no database is needed.
  const { openPipelineStore } = await import("@caliban/autonomous-memory/node");
  return await withMemoryErrors(async () => {
    const store = await openPipelineStore({ path: stateFile });
    try {
      return await use(store);
    } finally {
      store.close();
    }
  });
}

/** Turns problems that the user can fix into errors that the command line reports. */
export async function withMemoryErrors<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    throw new MemoryError("UNWRITABLE", error, { cause: error });
  }
}
