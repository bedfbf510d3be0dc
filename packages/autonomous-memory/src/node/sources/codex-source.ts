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
const DATE_DEPTH = 3;
const DATE_PART = /^\d{2,4}$/;
const MOST_FILES = 50_000;

/** What Codex keeps of this workspace. It moves and removes files by itself, so one that is gone says nothing. */
export function codexSource({ home, env, workspaceRoot }: OtherAgentInput): SessionSource {
  const base = directoryFrom(env["CODEX_HOME"], join(home, ".codex"));
  return {
    name: "codex",
    forgetsRemoved: false,
    list: async () => {
      const listing = beginListing();
      addRollouts(listing, join(base, "sessions"), DATE_DEPTH);
      addRollouts(listing, join(base, "archived_sessions"), DATE_DEPTH);
      return endListing(listing);
    },
    identify: async ({ path }) =>
      await identifyFile(
        { path, format: "codex" },
        {
          id: `codex-${idOf(path)}`,
          isOurs: ({ cwd }) => isWithinWorkspace(cwd, workspaceRoot),
        },
      ),
    messages: ({ path }) => streamMessages({ path, format: "codex" }),
  };
}

/** The rollouts of a directory and of the directories of years, months and days in it, the newest first. */
function addRollouts(listing: ListingInProgress, directory: string, depth: number): void {
  const parts = depth === 0 ? [] : directoriesIn(directory, listing);
  for (const part of parts
    .filter((name) => DATE_PART.test(name))
    .toSorted()
    .toReversed()) {
    addRollouts(listing, join(directory, part), depth - 1);
  }
  if (listing.files.length < MOST_FILES)
    addFiles(listing, directory, (name) => ROLLOUT_FILE.test(name));
  else listing.problems.push(`${directory} was left out: there are more than ${MOST_FILES} files`);
}

function idOf(path: string): string {
  return ROLLOUT_FILE.exec(basename(path))?.[1]?.toLowerCase() ?? "";
}
