import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PipelineStore } from "../../store/pipeline-store.ts";
import { createGenerations } from "../generations/create-generations.ts";
import { CURRENT_FILE } from "../generations/current-generation.ts";
import { withPipelineStore } from "../store/open-pipeline-store.ts";
import type { RunProjectInput } from "./run-project.ts";

export interface ClearProjectInput extends Pick<
  RunProjectInput,
  "project" | "stateFile" | "directory"
> {
  readonly nowMs: number;
}

export interface ClearedProject {
  readonly hadMemory: boolean;
  /** Sessions that were read, and will never be read again. */
  readonly sessionsLeftOut: number;
}

/**
 * Removes what was learned, but not the sessions. Everything is cleared under one lock, so that a concurrent run cannot
 * bring it back. Creates nothing.
 * @throws PipelineError when the state or the memory cannot be used
 */
export async function clearProject(input: ClearProjectInput): Promise<ClearedProject> {
  const { project, stateFile, directory, nowMs } = input;
  const hadMemory = existsSync(join(directory, CURRENT_FILE));
  const clear = async (store: PipelineStore | undefined): Promise<number> => {
    let sessionsLeftOut = 0;
    const forget = (): void => {
      sessionsLeftOut = store?.admin.clear(project, nowMs) ?? 0;
    };
    // A missing directory is not created, not even to lock it.
    if (existsSync(directory)) await createGenerations({ directory }).clear(forget);
    else forget();
    return sessionsLeftOut;
  };
  const sessionsLeftOut =
    (await withPipelineStore({ path: stateFile }, clear)) ?? (await clear(undefined));
  return { hadMemory, sessionsLeftOut };
}
