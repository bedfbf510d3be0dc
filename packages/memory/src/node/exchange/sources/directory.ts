import type { Diagnostic } from "@caliban/common";
import type { ImportSource, ImportSourceName } from "../../../exchange/source.ts";
import { readSourceDirectory, type SourceLimits } from "./read-source-file.ts";

/** A directory of topics with an index, as caliban and Claude Code have it, or of any Markdown files. */
export function directorySource(
  name: ImportSourceName,
  path: string | undefined,
  limits?: SourceLimits,
): ImportSource {
  const read = path === undefined ? undefined : readSourceDirectory(path, limits);
  return {
    name,
    path,
    exists: read !== undefined,
    files: read?.files ?? [],
    index: read?.index,
    instructions: [],
    notices: [
      ...ignored("NOT_MARKDOWN", "not Markdown files", read?.others),
      ...ignored("TOO_MANY", "too many files", read?.tooMany),
    ],
  };
}

const MAX_NAMED = 5;

function ignored<Code extends string>(
  code: Code,
  reason: string,
  names: readonly string[] = [],
): readonly Diagnostic<Code>[] {
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  const named = names.slice(0, MAX_NAMED).join(", ");
  return [{ code, message: `ignored (${reason}): ${named}${more}` }];
}
