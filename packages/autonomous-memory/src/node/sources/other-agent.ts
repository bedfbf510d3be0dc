import { isAbsolute } from "node:path";
import type { Environment } from "@caliban/common";
import type { ListingInProgress } from "./list-files.ts";
import { isBelow } from "./within-workspace.ts";

/** Whose sessions of which workspace. */
export interface OtherAgentInput {
  /** The person's home directory. */
  readonly home: string;
  readonly env: Environment;
  readonly workspaceRoot: string;
}

/**
 * The directory that a variable of the environment names, or the usual one where it names none that can be the person's:
 * a repository must not bring sessions of its own.
 */
export function directoryFrom(
  { variable, usual }: { readonly variable: string; readonly usual: string },
  { home, env, workspaceRoot }: OtherAgentInput,
  { notes }: ListingInProgress,
): string {
  const configured = env[variable];
  if (configured === undefined || configured === "") return usual;
  if (!isAbsolute(configured)) {
    notes.push(`${variable} is ignored: it is no absolute path`);
    return usual;
  }
  // Where the home is in the workspace, so is everything that the person has.
  if (isBelow(configured, workspaceRoot) && !isBelow(home, workspaceRoot)) {
    notes.push(`${variable} is ignored: it names a directory in the workspace`);
    return usual;
  }
  return configured;
}
