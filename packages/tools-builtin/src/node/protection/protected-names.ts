const INSTRUCTIONS = "tells agents what to do, in this session and in every other";

/** Names of files, below any directory, that steer agents: ours and those of others. */
const STEERING_FILES: Readonly<Record<string, string>> = {
  "CLAUDE.md": INSTRUCTIONS,
  "AGENTS.md": INSTRUCTIONS,
  ".caliban.md": INSTRUCTIONS,
  "CLAUDE.local.md": INSTRUCTIONS,
  "GEMINI.md": INSTRUCTIONS,
  ".cursorrules": INSTRUCTIONS,
  ".github/copilot-instructions.md": INSTRUCTIONS,
  ".mcp.json": "tells agents which programs to start and whom to ask",
};

/** As they are written. */
export const STEERING_NAMES: readonly string[] = Object.keys(STEERING_FILES);

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries(STEERING_FILES).map(([name, reason]) => [plainPath(name), reason]),
);

const GIT = "belongs to Git, which may run what stands in it";

const GUARDED_DIRECTORIES: Readonly<Record<string, string>> = {
  ".caliban": "holds what caliban is told and allowed to do",
  ".claude": "holds what agents are told and allowed to do",
  ".git": GIT,
  "git~1": GIT,
};

/** Why a file of this name is asked about every time; the name is a path with `/`, of which the end counts. */
export function instructionReason(name: string): string | undefined {
  const parts = name.split("/");
  for (const ending of [parts.slice(-1), parts.slice(-2)]) {
    const reason = REASONS.get(plainPath(ending.join("/")));
    if (reason !== undefined) return `${ending.join("/")} ${reason}.`;
  }
  return undefined;
}

/** Why what lies below a name of this path is asked about every time; the path has `/`. */
export function guardedReason(path: string): string | undefined {
  for (const name of path.split("/")) {
    const reason = GUARDED_DIRECTORIES[plainName(name)];
    if (reason !== undefined) return `${name} ${reason}.`;
  }
  return undefined;
}

function plainPath(path: string): string {
  return path.split("/").map(plainName).join("/");
}

/** What a file system that ignores case, trailing dots or invisible characters makes of a name. */
function plainName(name: string): string {
  return name
    .replace(/\p{Cf}/gu, "")
    .replace(/[. ]+$/, "")
    .normalize("NFKC")
    .toLowerCase();
}
