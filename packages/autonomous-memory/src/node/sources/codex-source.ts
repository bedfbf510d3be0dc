import { basename, join } from "node:path";
import type { PipelineNotice } from "../../run/notice.ts";
import type { SessionSource } from "../../transcript/session-source.ts";
import { type AgentSourceInput, resolveAgentDirectory } from "./agent-directory.ts";
import {
  addFiles,
  listDirectories,
  type ListingInProgress,
  transcriptSource,
} from "./session-files.ts";
import { isWithinWorkspace } from "./within-workspace.ts";

const ROLLOUT_FILE = /^rollout-.{1,40}?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl$/i;
const COMPRESSED_FILE = /^rollout-.*\.jsonl\.zst$/i;
const DATE_DEPTH = 3;
const DATE_PART = /^\d{2,4}$/;
const MAX_FILES = 50_000;

/** Codex's sessions of this workspace. It moves and deletes files itself, so a missing one means nothing. */
export function codexSource(input: AgentSourceInput): SessionSource {
  const location = { variable: "CODEX_HOME", fallback: join(input.home, ".codex") };
  return transcriptSource({
    format: "codex",
    forgetsRemoved: false,
    list: (listing) => {
      const base = resolveAgentDirectory(location, input, listing);
      const compressed =
        addRollouts(listing, join(base, "sessions"), DATE_DEPTH) +
        addRollouts(listing, join(base, "archived_sessions"), DATE_DEPTH);
      if (compressed > 0) listing.notes.push(skipped(compressedMessage(compressed)));
    },
    idOf: (path) => `codex-${ROLLOUT_FILE.exec(basename(path))?.[1]?.toLowerCase() ?? ""}`,
    belongsToProject: ({ cwd }) => isWithinWorkspace(cwd, input),
  });
}

/**
 * Adds the rollouts of a directory and of its year, month and day directories, newest first, and counts the compressed
 * ones.
 */
function addRollouts(listing: ListingInProgress, directory: string, depth: number): number {
  const parts = depth === 0 ? [] : listDirectories(directory, listing);
  let compressed = 0;
  for (const part of parts
    .filter((name) => DATE_PART.test(name))
    .toSorted()
    .toReversed()) {
    compressed += addRollouts(listing, join(directory, part), depth - 1);
  }
  if (listing.files.length >= MAX_FILES) {
    listing.problems.push(
      skipped(`${directory}: skipped because there are more than ${MAX_FILES} files`),
    );
    return compressed;
  }
  const others = addFiles(listing, directory, (name) => ROLLOUT_FILE.test(name));
  return compressed + others.filter((name) => COMPRESSED_FILE.test(name)).length;
}

function skipped(message: string): PipelineNotice {
  return { code: "SOURCE_SKIPPED", message };
}

function compressedMessage(count: number): string {
  const sessions = count === 1 ? "1 compressed session" : `${count} compressed sessions`;
  return `skipped ${sessions} of Codex, which cannot be read`;
}
