import { type Environment, parseFlag } from "@caliban/common";
import { MemoryError } from "../errors.ts";

/** What variables turn on or off for one run. */
export interface MemorySwitches {
  /** External imports need no approval in this run. */
  readonly approveImports: boolean;
  /** Instruction files of every directory down to the start count, and rules; else the root's CLAUDE.md only. */
  readonly walk: boolean;
  /** Instruction files of additional directories count as well. */
  readonly additionalInstructions: boolean;
}

/** @throws MemoryError `INVALID_ENVIRONMENT` for a word that is neither yes nor no. */
export function readSwitches(env: Environment): MemorySwitches {
  return {
    approveImports: readSwitch(env, "CALIBAN_APPROVE_IMPORTS"),
    walk: !readSwitch(env, "CALIBAN_DISABLE_CLAUDE_MD_WALK"),
    additionalInstructions: readSwitch(env, "CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD"),
  };
}

function readSwitch(env: Environment, name: string): boolean {
  const text = env[name] ?? "";
  const value = parseFlag(text);
  if (value !== undefined) return value;
  throw new MemoryError(
    "INVALID_ENVIRONMENT",
    `${name}: must be 1, true, yes, on, or 0, false, no, off, not ${JSON.stringify(text)}`,
  );
}
