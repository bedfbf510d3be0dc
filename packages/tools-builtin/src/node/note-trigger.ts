import { join } from "node:path";
import type { FinishedToolCall } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import type { NoteTrigger } from "@caliban/memory";
import { isInside, realPathOf } from "./real-path.ts";

export interface NoteTriggersInput {
  /** The workspace. Files outside of it trigger nothing. */
  readonly root: string;
  /** Files in these directories trigger nothing, such as memory itself and the user's settings. */
  readonly excludedDirectories: readonly string[];
}

type FindTrigger = (finished: FinishedToolCall) => NoteTrigger | undefined;

/** The words of a note are in the first lines or nowhere: more text would only take longer to search. */
const MAX_CHARACTERS = 20_000;

/** Creates what tells which file or command a call of the file tools was about; `undefined` for any other call. */
export function createNoteTriggers({ root, excludedDirectories }: NoteTriggersInput): FindTrigger {
  let excludes: ((path: string) => boolean) | undefined;
  return (finished) => {
    const trigger = TRIGGERS[finished.tool.name]?.(finished);
    if (trigger?.kind !== "file") return trigger;
    excludes ??= createExclusion({ root, excludedDirectories });
    return excludes(trigger.path) ? undefined : trigger;
  };
}

/**
 * Creates what tells whether a file of the workspace triggers nothing. Resolves the directories once. Those that have no
 * file of the workspace exclude nothing.
 */
export function createExclusion(input: NoteTriggersInput): (path: string) => boolean {
  const root = realPathIfExists(input.root) ?? input.root;
  const excluded = input.excludedDirectories
    .map((directory) => realPathOf(directory))
    .filter((directory) => isInside(root, directory) || isInside(directory, root));
  return (path) => excluded.some((directory) => isInside(directory, join(root, path)));
}

/**
 * A file that could not be read tells nothing. An edit that failed is about to be repeated, and a command that failed is
 * when a memory matters most.
 */
const TRIGGERS: Readonly<Record<string, FindTrigger>> = {
  Read: (finished) =>
    hasFailed(finished) ? undefined : fileTrigger(finished, "read", shownLines(finished)),
  Edit: (finished) => {
    const { old_string, new_string } = fieldsOf(finished.call.input);
    const { diff, code } = fieldsOf(finished.result.data);
    if (hasFailed(finished) && (code === undefined || code === "CANCELLED")) return undefined;
    return fileTrigger(finished, "edit", [diff, old_string, new_string].filter(isText).join("\n"));
  },
  Write: (finished) => {
    if (hasFailed(finished)) return undefined;
    const { content } = fieldsOf(finished.call.input);
    const { isNew } = fieldsOf(finished.result.data);
    return fileTrigger(
      finished,
      isNew === true ? "create" : "edit",
      isText(content) ? content : "",
    );
  },
  Bash: commandTrigger,
  Grep: searchTrigger,
  Glob: searchTrigger,
};

/** Only of a command that ran, and that the user did not stop. */
function commandTrigger({ call, result }: FinishedToolCall): NoteTrigger | undefined {
  const { command } = fieldsOf(call.input);
  const { code, stopped } = fieldsOf(result.data);
  const isOver = isRecord(result.data) && code === undefined && stopped !== "interrupted";
  return isText(command) && isOver
    ? { kind: "command", command: command.slice(0, MAX_CHARACTERS) }
    : undefined;
}

/** A search of the whole workspace is about nothing in particular. */
function searchTrigger(finished: FinishedToolCall): NoteTrigger | undefined {
  const { path, pattern } = fieldsOf(finished.call.input);
  const isFocused = isText(path) && finished.subject !== "." && !hasFailed(finished);
  return isFocused ? fileTrigger(finished, "read", isText(pattern) ? pattern : "") : undefined;
}

/** The subject of the file tools is relative to the root inside of it, and absolute or below `~` elsewhere. */
function fileTrigger(
  { subject }: FinishedToolCall,
  action: "read" | "edit" | "create",
  text: string,
): NoteTrigger | undefined {
  if (subject === undefined || /^(?:memory:|[a-z]:[\\/]|[\\/]|~(?:[\\/]|$))/i.test(subject))
    return undefined;
  return { kind: "file", action, path: subject, text: text.slice(0, MAX_CHARACTERS) };
}

/** The lines of a file without their numbers, and without what was appended to them. */
function shownLines({ result }: FinishedToolCall): string {
  const lines = result.text.slice(0, 2 * MAX_CHARACTERS).matchAll(/^\d+\t(.*)$/gm);
  return Array.from(lines, ([, text = ""]) => text).join("\n");
}

function hasFailed({ result }: FinishedToolCall): boolean {
  return result.isError === true;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
