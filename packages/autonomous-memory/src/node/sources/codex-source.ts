import { basename, join } from "node:path";
import { streamMessages } from "@caliban/sessions/node";
import type { SessionSource } from "../../session-source.ts";
import { identifyFile } from "./identify-file.ts";
import {
  addFiles,
  beginListing,
  directoriesIn,
  endListing,
  type ListingInProgress,
} from "./list-files.ts";
import { directoryFrom, type OtherAgentInput } from "./other-agent.ts";
import { isWithinWorkspace } from "./within-workspace.ts";

const ROLLOUT_FILE = /^rollout-.{1,40}?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl$/i;
const COMPRESSED_FILE = /^rollout-.*\.jsonl\.zst$/i;
const DATE_DEPTH = 3;
const DATE_PART = /^\d{2,4}$/;
const MOST_FILES = 50_000;

/** What Codex keeps of this workspace. It moves and removes files by itself, so one that is gone says nothing. */
export function codexSource(input: OtherAgentInput): SessionSource {
  const place = { variable: "CODEX_HOME", usual: join(input.home, ".codex") };
  return {
    name: "codex",
    forgetsRemoved: false,
    list: async () => {
      const listing = beginListing();
      const base = directoryFrom(place, input, listing);
      const compressed =
        addRollouts(listing, join(base, "sessions"), DATE_DEPTH) +
        addRollouts(listing, join(base, "archived_sessions"), DATE_DEPTH);
      if (compressed > 0) listing.notes.push(notRead(compressed));
      return endListing(listing);
    },
    identify: async ({ path }) =>
      await identifyFile(
        { path, format: "codex" },
        {
          id: `codex-${idOf(path)}`,
          isOurs: ({ cwd }) => isWithinWorkspace(cwd, input),
        },
      ),
    messages: ({ path }) => streamMessages({ path, format: "codex" }),
  };
}

/**
 * Adds the rollouts of a directory and of the directories of years, months and days in it, the newest first, and counts
 * those that are compressed.
 */
function addRollouts(listing: ListingInProgress, directory: string, depth: number): number {
  const parts = depth === 0 ? [] : directoriesIn(directory, listing);
  let compressed = 0;
  for (const part of parts
    .filter((name) => DATE_PART.test(name))
    .toSorted()
    .toReversed()) {
    compressed += addRollouts(listing, join(directory, part), depth - 1);
  }
  if (listing.files.length >= MOST_FILES) {
    listing.problems.push(`${directory} was left out: there are more than ${MOST_FILES} files`);
    return compressed;
  }
  const others = addFiles(listing, directory, (name) => ROLLOUT_FILE.test(name));
  return compressed + others.filter((name) => COMPRESSED_FILE.test(name)).length;
}

function notRead(count: number): string {
  const sessions = count === 1 ? "1 compressed session" : `${count} compressed sessions`;
  return `${sessions} of Codex ${count === 1 ? "is" : "are"} not read`;
}

function idOf(path: string): string {
  return ROLLOUT_FILE.exec(basename(path))?.[1]?.toLowerCase() ?? "";
}
