import { existsSync } from "node:fs";
import { PipelineError, type PipelineStore } from "@caliban/autonomous-memory";
import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { MemoryError } from "@caliban/memory";
import type { Invocation } from "../../../command.ts";
import { openProject, type Project } from "../../../project/project.ts";
import type { LearnedLocation } from "../../../project/locations.ts";
import { type OffReason, whyOff } from "../../../pipeline/why-off.ts";
import { renderSettingsWarnings } from "../../warnings.ts";
import { UsageError } from "../../../usage-error.ts";

/** What was learned in this workspace, for one command. */
export interface OpenPipeline {
  readonly project: Project;
  readonly place: LearnedLocation;
  /** Why nothing is learned now; `undefined` where it is. */
  readonly off: OffReason | undefined;
  /** What is to be said on stderr, whatever the command does. */
  readonly warnings: string;
  /** A path as the person reads it. */
  readonly shown: (path: string) => string;
}

/**
 * Finds everything and makes nothing.
 * @throws MemoryError `NO_MEMORY_DIRECTORY` when no home directory is known
 */
export async function openPipeline(
  invocation: Invocation,
  { forWriting = false }: { readonly forWriting?: boolean } = {},
): Promise<OpenPipeline> {
  const { platform, home } = invocation.host;
  const project = await openProject(invocation);
  const { settings } = project;
  const place = await project.learned({ forWriting });
  if (place === undefined) {
    const sentence =
      "no home directory is known, so nothing can be learned; set HOME or XDG_DATA_HOME and XDG_STATE_HOME";
    throw new MemoryError("NO_MEMORY_DIRECTORY", sentence);
  }
  return {
    project,
    place,
    off: whyOff(project),
    warnings: renderSettingsWarnings(settings.warnings),
    shown: (path) => terminalSafeLine(abbreviateHome(pathStyleOf(platform), path, home)),
  };
}

/**
 * Refuses what would do nothing.
 * @throws UsageError
 */
export function refuseWhereOff({ off }: Pick<OpenPipeline, "off">): void {
  if (off !== undefined)
    throw new UsageError(`caliban does not learn from past sessions here: ${off.sentence}`);
}

/**
 * Uses the state, and closes it whatever happens; `undefined` where there is none yet and none is to be made.
 * @throws MemoryError for a state that cannot be used
 */
export async function withStore<Result>(
  { stateFile }: Pick<LearnedLocation, "stateFile">,
  use: (store: PipelineStore) => Result | Promise<Result>,
  { isMade = false }: { readonly isMade?: boolean } = {},
): Promise<Result | undefined> {
  if (!isMade && !existsSync(stateFile)) return undefined;
  // Loaded only here: whoever looks where nothing is needs no database.
  const { openPipelineStore } = await import("@caliban/autonomous-memory/node");
  return await mended(async () => {
    const store = await openPipelineStore({ path: stateFile });
    try {
      return await use(store);
    } finally {
      store.close();
    }
  });
}

/** What a person can mend, as the command line says it. */
export async function mended<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    throw new MemoryError("UNWRITABLE", error.message, { cause: error });
  }
}
