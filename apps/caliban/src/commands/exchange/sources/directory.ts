import type { AgentName, ForeignSource } from "./foreign-source.ts";
import { readForeignDirectory } from "./read-foreign.ts";

const MOST_NAMED = 5;

/** A directory of topics with an index, as caliban and Claude Code have it, or of Markdown files of any kind. */
export async function directorySource(
  agent: AgentName,
  directory: string | undefined,
): Promise<ForeignSource> {
  const read = directory === undefined ? undefined : await readForeignDirectory(directory);
  return {
    agent,
    place: directory,
    isThere: read !== undefined,
    files: read?.files ?? [],
    index: read?.index,
    instructions: [],
    notes: read === undefined ? [] : [...leftThere(read.others), ...beyond(read.tooMany)],
  };
}

function beyond(count: number): readonly string[] {
  if (count === 0) return [];
  return [`not taken, because they are too many at once: ${count} of the last, by their names`];
}

function leftThere(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const named = names.slice(0, MOST_NAMED).join(", ");
  return [`not taken, because they are no Markdown files: ${named}${more}`];
}
