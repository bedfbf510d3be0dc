import { basename, join } from "node:path";
import { realPathIfThere } from "@caliban/common/node";
import { streamMessages } from "@caliban/sessions/node";
import type { SessionSource } from "../../session-source.ts";
import { identifyFile } from "./identify-file.ts";
import { addFiles, beginListing, directoriesIn, endListing } from "./list-files.ts";
import { directoryFrom, type OtherAgentInput } from "./other-agent.ts";
import { isWithinWorkspace } from "./within-workspace.ts";

const SESSION_FILE = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/i;
// Longer names are cut by Claude Code, and something is put behind them.
const MOST_NAME_CHARACTERS = 200;

/** What Claude Code keeps of this workspace. It removes old files by itself, so one that is gone says nothing. */
export function claudeSource(input: OtherAgentInput): SessionSource {
  const { home, workspaceRoot } = input;
  const place = { variable: "CLAUDE_CONFIG_DIR", usual: join(home, ".claude") };
  return {
    name: "claude",
    forgetsRemoved: false,
    list: async () => {
      const listing = beginListing();
      const projects = join(directoryFrom(place, input, listing), "projects");
      const isCandidate = candidates(workspaceRoot);
      for (const name of directoriesIn(projects, listing)) {
        if (isCandidate(name))
          addFiles(listing, join(projects, name), (file) => SESSION_FILE.test(file));
      }
      return endListing(listing);
    },
    identify: async ({ path }) =>
      await identifyFile(
        { path, format: "claude" },
        {
          id: `claude-${basename(path, ".jsonl").toLowerCase()}`,
          isOurs: ({ cwd }) => isWithinWorkspace(cwd, input),
        },
      ),
    messages: ({ path }) => streamMessages({ path, format: "claude" }),
  };
}

/** Whether the sessions of the workspace, or of a directory in it, may be in a directory of that name. */
function candidates(workspaceRoot: string): (name: string) => boolean {
  const roots = [workspaceRoot, realPathIfThere(workspaceRoot) ?? workspaceRoot];
  const encoded = [...new Set(roots)].map(encodedName);
  return (name) =>
    encoded.some(
      (root) =>
        name === root ||
        name.startsWith(`${root}-`.slice(0, MOST_NAME_CHARACTERS)) ||
        // The root of a file system is one such character itself.
        (root === "-" && name.startsWith("-")),
    );
}

/** As Claude Code names directories: the path with everything but letters and digits replaced. */
function encodedName(path: string): string {
  return path.replaceAll(/[^A-Za-z\d]/g, "-");
}
