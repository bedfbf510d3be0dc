import type { CancelSignal } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { FileToolError } from "../file-tool-error.ts";
import type { FileToolAction } from "../file-tool.ts";
import type { FileInputs } from "../schemas/file-input.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";
import { builtInSearch } from "./engine/built-in-search.ts";
import { createRipgrepSearch, findRipgrep } from "./engine/ripgrep.ts";
import type { FoundFile, SearchEnd, SearchEngine, SearchRequest } from "./engine/search-request.ts";
import { countDenied, createReadableTest, deniedNote } from "./readable-files.ts";
import { renderMatches } from "./render-matches.ts";
import { resolveSearchTarget, type SearchTarget } from "./search-target.ts";
import { skippedRulesNote } from "./walk/ignore-files.ts";
import { createNameMatcher } from "./walk/name-matcher.ts";

const TIMEOUT_MS = 20_000;
const DEFAULT_ENTRIES = 100;

/** Searches with ripgrep if it is installed, otherwise with the built-in search. The result looks the same. */
export const grep: FileToolAction<"Grep"> = async (input, state, { signal }) => {
  const { workspace } = state;
  const target = resolveSearchTarget(state, input.path);
  const isReadable = createReadableTest(workspace, "Grep", target);
  if (!target.isDirectory && isReadable?.("") === false) throw deniedError(target);
  const request = await toRequest(input, { target, workspace, signal });
  const denied = await countDenied(request, isReadable);
  let skippedRules = 0;
  const readable: SearchRequest = {
    ...request,
    onSkippedRules: (lines) => void (skippedRules += lines),
    includes: (name) => request.includes(name) && isReadable?.(name) !== false,
  };
  const ripgrep = findRipgrep(workspace);
  const engines = ripgrep === undefined ? [] : [createRipgrepSearch(ripgrep, workspace.env)];
  const { files, end } = await searchWith([...engines, builtInSearch], input, readable);
  if (end.kind === "failed") {
    const reason = terminalSafeLine(end.message);
    throw new FileToolError("BAD_PATTERN", `Grep was not run: ${reason}. Fix the pattern.`);
  }
  if (end.kind === "interrupted") throw new FileToolError("CANCELLED", "Grep was interrupted.");
  const notes = [...deniedNote(denied), ...skippedRulesNote(skippedRules)];
  const maxEntries = maxEntriesOf(input);
  return renderMatches({ input, files, end: end.kind, target, maxEntries, denied, notes });
};

function deniedError({ display }: SearchTarget): FileToolError {
  return new FileToolError(
    "UNREADABLE",
    `A rule denies reading ${display}, so it was not searched. Continue without it.`,
  );
}

interface SearchContext {
  readonly target: SearchTarget;
  readonly workspace: ToolWorkspace;
  readonly signal: CancelSignal | undefined;
}

async function toRequest(
  input: FileInputs["Grep"],
  { target, workspace, signal }: SearchContext,
): Promise<SearchRequest> {
  const { path, isDirectory, top, ignoreNameCase } = target;
  const isContent = (input.output_mode ?? "content") === "content";
  return {
    pattern: input.pattern,
    ignoreCase: input.ignore_case ?? false,
    target: path,
    isDirectory,
    top,
    ignoreNameCase,
    includes:
      input.glob === undefined
        ? () => true
        : await createNameMatcher(input.glob, { isAnywhere: true }),
    contextLines: isContent ? (input.context ?? 0) : 0,
    maxMatches: isContent ? maxEntriesOf(input) : 1,
    timeoutMs: workspace.searchTimeoutMs ?? TIMEOUT_MS,
    signal,
  };
}

/** Tries the next engine if one does not support the expression. */
async function searchWith(
  [engine, ...others]: readonly SearchEngine[],
  input: FileInputs["Grep"],
  request: SearchRequest,
): Promise<{ readonly files: readonly FoundFile[]; readonly end: SearchEnd }> {
  if (engine === undefined) throw new Error("there is always at least one engine");
  const files: FoundFile[] = [];
  let entries = 0;
  const end = await engine(request, (file) => {
    files.push(file);
    entries += (input.output_mode ?? "content") === "content" ? file.matches : 1;
    // One more than is shown tells us that there are more.
    return entries > maxEntriesOf(input) ? "enough" : "more";
  });
  if (end.kind !== "failed" || others.length === 0) return { files, end };
  return await searchWith(others, input, request);
}

function maxEntriesOf({ head_limit = DEFAULT_ENTRIES }: FileInputs["Grep"]): number {
  return head_limit;
}
