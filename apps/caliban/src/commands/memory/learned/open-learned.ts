import {
  type MemoryCommands,
  isPipelineError,
  type PipelineStore,
} from "@caliban/autonomous-memory";
import type { SpellCommand } from "@caliban/common";
import { MemoryError } from "@caliban/memory";
import type { Invocation } from "../../../command.ts";
import { type OffReason, whyOff } from "../../../pipeline/why-off.ts";
import type { LearnedLocation } from "../../../project/locations.ts";
import { openProject, type Project } from "../../../project/project.ts";
import { displayPath } from "../../user-paths.ts";
import { settingsWarnings } from "../../warnings.ts";

/** The commands and options that texts about learned memory refer to. */
export function learnedCommands(command: SpellCommand): MemoryCommands {
  return {
    view: command("memory view"),
    stats: command("memory stats"),
    retry: command("memory retry"),
    clear: command("memory clear"),
    inbox: command("memory inbox"),
    exclude: "--no-learn or --no-memory",
    recent: "--recent",
  };
}

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
  access: { readonly forWriting?: boolean } = {},
): Promise<OpenLearned> {
  const project = await openProject(invocation);
  const location = await project.learned(access);
  if (location === undefined) {
    const message =
      "no home directory found for learned memory; set HOME, or XDG_DATA_HOME and XDG_STATE_HOME";
    throw new MemoryError("NO_MEMORY_DIRECTORY", message);
  }
  return {
    project,
    location,
    off: whyOff(project),
    warnings: settingsWarnings(invocation.host, project.settings.warnings),
    formatPath: (path) => displayPath(invocation.host, path),
  };
}

/**
 * Uses the state database; `undefined` when it does not exist and should not be created.
 * @throws MemoryError when it cannot be used
 */
export async function withStore<Result>(
  { stateFile }: Pick<LearnedLocation, "stateFile">,
  use: (store: PipelineStore) => Result,
  { create = false }: { readonly create?: boolean } = {},
): Promise<Result | undefined> {
  const { withPipelineStore } = await import("@caliban/autonomous-memory/node");
  return await withMemoryErrors(() => withPipelineStore({ path: stateFile, create }, use));
}

/** Turns problems that the user can fix into errors that the command line reports. */
export async function withMemoryErrors<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!isPipelineError(error)) throw error;
    throw new MemoryError("UNWRITABLE", error, { cause: error });
  }
}
