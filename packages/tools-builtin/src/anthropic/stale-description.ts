import type { ParsedTopic } from "@caliban/memory";
import { shown } from "./memory-command-error.ts";

/** What to say when a file was described by its first line, and that line is another one now. */
export function staleDescription(before: ParsedTopic, after: ParsedTopic): string | undefined {
  const isKept = before.description === after.description;
  if (!isKept || !isDescribedByFirstLine(before) || isDescribedByFirstLine(after)) return undefined;
  return `The index still says "${shown(after.description)}" of this file; if that is no longer true, change the description in its header.`;
}

function isDescribedByFirstLine({ description, body }: ParsedTopic): boolean {
  const [first = ""] = body.trimStart().split("\n", 1);
  const line = first.replace(/^#+\s/, "").replaceAll(/\s+/g, " ").trim();
  // A long line is described by its beginning.
  return (
    line === description || (description.endsWith("…") && line.startsWith(description.slice(0, -1)))
  );
}
