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
    notes:
      read === undefined
        ? []
        : [
            ...leftThere("because they are no Markdown files", read.others),
            ...leftThere("because there are too many", read.tooMany),
          ],
  };
}

function leftThere(why: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const named = names.slice(0, MOST_NAMED).join(", ");
  return [`not taken, ${why}: ${named}${more}`];
}
