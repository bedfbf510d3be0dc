import type { CancelSignal } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import type { FileInputs } from "../schemas/file-input.ts";
import type { FileToolAction } from "../file-tool.ts";
import { FileToolError } from "../file-tool-error.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";
import { builtInSearch } from "./engine/built-in-search.ts";
import { findRipgrep, createRipgrepSearch } from "./engine/ripgrep.ts";
import { skippedRulesNote } from "./walk/ignore-files.ts";
import { createNameMatcher } from "./walk/name-matcher.ts";
import { countDenied, deniedNote, createReadableTest } from "./readable-files.ts";
import { renderMatches } from "./render-matches.ts";

import { type SearchTarget, resolveSearchTarget } from "./search-target.ts";
import type { FoundFile, SearchEnd, SearchEngine, SearchRequest } from "./engine/search-request.ts";

const LIMIT_MS = 20_000;
const MOST_ENTRIES = 100;

/** Searches by ripgrep where there is one, else by what is built in; the answer has the same form. */
export const grep: FileToolAction<"Grep"> = async (input, session, { signal }) => {
  const { workspace } = session;
  const place = resolveSearchTarget(session, input.path);
  const isReadable = createReadableTest(workspace, "Grep", place);
  if (!place.isDirectory && !isReadable("")) throw unreadable(place);
  const asked = await requestOf(input, { place, workspace, signal });
  const leftOut = await countDenied(workspace, asked, isReadable);
  let unfollowed = 0;
  const request = {
    ...asked,
    onUnfollowed: (lines: number) => void (unfollowed += lines),
    isWanted: (name: string) => asked.includes(name) && isReadable(name),
  };
  const ripgrep = findRipgrep(workspace);
  const engines = ripgrep === undefined ? [] : [createRipgrepSearch(ripgrep, workspace.env)];
  const { files, end } = await searchBy([...engines, builtInSearch], { input, request });
  if (end.kind === "failed") {
    const reason = terminalSafeLine(end.message);
    throw new FileToolError("BAD_PATTERN", `Grep was not run: ${reason}. Mend the pattern.`);
  }
  if (end.kind === "interrupted") throw new FileToolError("CANCELLED", "Grep was interrupted.");
  const notes = [...deniedNote(leftOut), ...skippedRulesNote(unfollowed)];
  const shown = { input, files, end: end.kind, place, mostEntries: mostEntries(input) };
  return renderMatches({ ...shown, leftOut, notes });
};

function unreadable({ display: shown }: SearchTarget): FileToolError {
  return new FileToolError(
    "UNREADABLE",
    `A rule denies reading ${shown}, so it was not searched. Go on without it.`,
  );
}

interface Asked {
  readonly place: SearchTarget;
  readonly workspace: ToolWorkspace;
  readonly signal: CancelSignal | undefined;
}

async function requestOf(
  input: FileInputs["Grep"],
  { place, workspace, signal }: Asked,
): Promise<SearchRequest> {
  const { path: target, isDirectory, top, ignoreNameCase: ignoreCaseOfNames } = place;
  const isContent = (input.output_mode ?? "content") === "content";
  return {
    pattern: input.pattern,
    ignoreCase: input.ignore_case ?? false,
    target,
    isDirectory,
    top,
    ignoreNameCase: ignoreCaseOfNames,
    includes:
      input.glob === undefined
        ? () => true
        : await createNameMatcher(input.glob, { isAnywhere: true }),
    contextLines: isContent ? (input.context ?? 0) : 0,
    maxMatches: isContent ? mostEntries(input) : 1,
    timeoutMs: workspace.searchTimeoutMs ?? LIMIT_MS,
    signal,
  };
}

/** An expression that one engine does not know may be known to the next. */
async function searchBy(
  [engine, ...others]: readonly SearchEngine[],
  { input, request }: { readonly input: FileInputs["Grep"]; readonly request: SearchRequest },
): Promise<{ readonly files: readonly FoundFile[]; readonly end: SearchEnd }> {
  if (engine === undefined) throw new Error("there is always one engine");
  const files: FoundFile[] = [];
  let entries = 0;
  const end = await engine(request, (file) => {
    files.push(file);
    entries += (input.output_mode ?? "content") === "content" ? file.matches : 1;
    // One more than is shown tells that there are more.
    return entries > mostEntries(input) ? "enough" : "more";
  });
  if (end.kind !== "failed" || others.length === 0) return { files, end };
  return await searchBy(others, { input, request });
}

function mostEntries({ head_limit = MOST_ENTRIES }: FileInputs["Grep"]): number {
  return head_limit;
}
