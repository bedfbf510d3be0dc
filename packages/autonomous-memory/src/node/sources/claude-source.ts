import { basename, join } from "node:path";
import { realPathIfExists } from "@caliban/common/node";
import type { SessionSource } from "../../transcript/session-source.ts";
import { type AgentSourceInput, resolveAgentDirectory } from "./agent-directory.ts";
import { addFiles, listDirectories, transcriptSource } from "./session-files.ts";
import { isWithinWorkspace } from "./within-workspace.ts";

const SESSION_FILE = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/i;
// Claude Code shortens longer names and appends a suffix.
const MAX_NAME_CHARACTERS = 200;

/** Claude Code's sessions of this workspace. It deletes old files itself, so a missing one means nothing. */
export function claudeSource(input: AgentSourceInput): SessionSource {
  const { home, workspaceRoot } = input;
  const location = { variable: "CLAUDE_CONFIG_DIR", fallback: join(home, ".claude") };
  return transcriptSource({
    format: "claude",
    forgetsRemoved: false,
    list: (listing) => {
      const projects = join(resolveAgentDirectory(location, input, listing), "projects");
      const isCandidate = candidates(workspaceRoot);
      for (const name of listDirectories(projects, listing)) {
        if (isCandidate(name))
          addFiles(listing, join(projects, name), (file) => SESSION_FILE.test(file));
      }
    },
    idOf: (path) => `claude-${basename(path, ".jsonl").toLowerCase()}`,
    belongsToProject: ({ cwd }) => isWithinWorkspace(cwd, input),
  });
}

/** Whether a directory of that name may contain sessions of the workspace or of a directory in it. */
function candidates(workspaceRoot: string): (name: string) => boolean {
  const roots = [workspaceRoot, realPathIfExists(workspaceRoot) ?? workspaceRoot];
  const encoded = [...new Set(roots)].map(encodedName);
  return (name) =>
    encoded.some(
      (root) =>
        name === root ||
        name.startsWith(`${root}-`.slice(0, MAX_NAME_CHARACTERS)) ||
        // The encoded root of a file system consists of the separator alone.
        (root === "-" && name.startsWith("-")),
    );
}

/** The directory name that Claude Code uses: the path with everything but letters and digits replaced. */
function encodedName(path: string): string {
  return path.replaceAll(/[^A-Za-z\d]/g, "-");
}
