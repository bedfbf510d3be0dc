import { join } from "node:path";
import { terminalSafeLine, userDirectories } from "@caliban/common";
import { errorCode, readTextFile, withFileLock, writeFileAtomic } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import {
  addUses,
  noUse,
  parseUseCounts,
  renderUseCounts,
  type UseCounts,
  type UseEvent,
} from "../../use/use-counts.ts";
import { type EnvironmentOptions, resolveEnvironment } from "../project/environment.ts";

/** The uses of a project, and what is wrong with the file, if something is. */
export interface ReadUse {
  /** `undefined` if nothing was counted yet. */
  readonly counts: UseCounts | undefined;
  readonly problem?: string | undefined;
}

export interface UseFileInput {
  readonly environment: EnvironmentOptions;
  /** The directory name of the project home. */
  readonly project: string;
}

/** Reads how often the memories of a project were used. A damaged file counts as none, and is reported. */
export function readUse(input: UseFileInput): ReadUse {
  checkArguments("readUse", input, { environment: "object", project: "string" });
  const path = useFile(input);
  if (path === undefined) return { counts: undefined };
  try {
    return readCounts(path);
  } catch (error) {
    if (errorCode(error) === undefined || !(error instanceof Error)) throw error;
    return { counts: undefined, problem: error.message };
  }
}

/**
 * Adds uses to those of a project. Processes that do so at the same time lose nothing. Returns what is wrong with the file,
 * if it was damaged and counting starts again, or if it cannot be written.
 */
export async function recordUse(
  input: UseFileInput,
  events: readonly UseEvent[],
): Promise<string | undefined> {
  checkArguments("recordUse", input, { environment: "object", project: "string" });
  checkArguments("recordUse", { events }, { events: "list" });
  const path = useFile(input);
  const [first] = events;
  if (path === undefined || first === undefined) return undefined;
  try {
    return await withFileLock(path, async () => {
      const { counts = noUse(first.atMs), problem } = readCounts(path);
      await writeFileAtomic(path, renderUseCounts(addUses(counts, events)));
      return problem;
    });
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return `cannot write ${terminalSafeLine(path)} (${code}), so uses of memory are not counted`;
  }
}

function useFile({ environment, project }: UseFileInput): string | undefined {
  const { state } = userDirectories(resolveEnvironment(environment));
  return state && join(state, "use", `${project}.json`);
}

const MAX_BYTES = 10_000_000;

/** @throws an error with code `EACCES` for a file that exists but cannot be read, so that it is not replaced */
function readCounts(path: string): ReadUse {
  const file = readTextFile(path, MAX_BYTES);
  if (file.kind === "missing") return { counts: undefined };
  if (file.kind !== "text") {
    const message = `cannot read ${terminalSafeLine(path)}: ${file.message}`;
    throw Object.assign(new Error(message), { code: "EACCES" });
  }
  const counts = parseUseCounts(file.text);
  if (counts !== undefined) return { counts };
  const problem = `${terminalSafeLine(path)} is damaged, so counting the uses of memory starts again`;
  return { counts: undefined, problem };
}
