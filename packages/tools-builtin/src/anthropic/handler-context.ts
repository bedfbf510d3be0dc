import { terminalSafeLine } from "@caliban/common";
import type { Author } from "@caliban/memory";
import type { CountChange } from "../memory/write-limit.ts";
import type { AnthropicMemoryOptions, AnthropicMemoryStore } from "./anthropic-memory-handler.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";
import { MEMORIES_DIRECTORY, parseMemoryPath } from "./memory-path.ts";
import { fileAbove, type MemoryFile } from "./memory-tree.ts";
import { isTooLong, topicNameOf } from "./topic-name.ts";
import type { ViewMemory } from "./view-memory.ts";

/** The store and the options that the commands work with. */
export interface MemoryHandlerContext extends AnthropicMemoryOptions {
  readonly store: AnthropicMemoryStore;
  readonly view: ViewMemory;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called before every change. */
  readonly countChange: CountChange;
}

/** The path of a file or directory that the model may change; `undefined` for the directory of all files. */
export function parseChangeable(path: string, command: string): string | undefined {
  const target = parseMemoryPath(path);
  if (target.kind !== "index") return target.kind === "root" ? undefined : target.path;
  throw new MemoryCommandError(
    `${command} cannot change ${MEMORIES_DIRECTORY}/MEMORY.md: it is the index, which is updated automatically when a file is created, edited, renamed or deleted. Its lines are the first lines of the files`,
  );
}

/** The name of a topic for a new file. The store checks the name for secrets, but not the path. */
export async function newName(
  target: string,
  { path, files }: { readonly path: string; readonly files: readonly MemoryFile[] },
): Promise<string> {
  const above = fileAbove(files, target);
  if (above !== undefined) {
    throw new MemoryCommandError(
      `The path ${quoteLine(path)} is not possible: ${MEMORIES_DIRECTORY}/${quoteLine(above.path)} is a file, not a directory`,
    );
  }
  const name = topicNameOf(target);
  if (isTooLong(name)) {
    throw new MemoryCommandError(
      `The path ${quoteLine(path)} is too long: the name of its topic would be longer than 100 bytes. Use a shorter name`,
    );
  }
  const { findSecretsByPattern } = await import("@caliban/common/secrets/patterns");
  const [secret] = await findSecretsByPattern(target);
  if (secret === undefined) return name;
  throw new MemoryCommandError(
    `this looks like a secret: ${secret.kind} in the path. Use a name that says where the secret is stored.`,
  );
}

/** The error for a path without a file. */
export function missing(path: string, advice = ""): MemoryCommandError {
  const problem = `The path ${quoteLine(path)} does not exist`;
  return new MemoryCommandError(advice === "" ? problem : `${problem}.${advice}`);
}

export function authorOf({ agent, user, session }: MemoryHandlerContext): Author {
  return { who: "agent", agent, user, session, origin: "agent" };
}

/** Tells the user about a change. */
export function notifyUser({ notify }: MemoryHandlerContext, change: string): void {
  notify?.({ kind: "memory", message: `memory: ${terminalSafeLine(change)}` });
}
