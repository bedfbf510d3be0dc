import type { Environment } from "@caliban/common";

/** Whose sessions of which workspace. */
export interface OtherAgentInput {
  /** The person's home directory. */
  readonly home: string;
  readonly env: Environment;
  readonly workspaceRoot: string;
}

/** The directory that a variable of the environment names, or the usual one. */
export function directoryFrom(configured: string | undefined, usual: string): string {
  return configured === undefined || configured === "" ? usual : configured;
}
