const INSTRUCTIONS = "tells agents what to do, in this session and in every other";

/** Names of files, in any directory, that steer agents: ours and those of other tools. */
const INSTRUCTION_FILES: Readonly<Record<string, string>> = {
  "CLAUDE.md": INSTRUCTIONS,
  "AGENTS.md": INSTRUCTIONS,
  ".caliban.md": INSTRUCTIONS,
  "CLAUDE.local.md": INSTRUCTIONS,
  "GEMINI.md": INSTRUCTIONS,
  ".cursorrules": INSTRUCTIONS,
  ".github/copilot-instructions.md": INSTRUCTIONS,
  ".mcp.json": "tells agents which programs to start and which servers to contact",
};

/** The names as they are usually written. */
export const INSTRUCTION_FILE_NAMES: readonly string[] = Object.keys(INSTRUCTION_FILES);

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries(INSTRUCTION_FILES).map(([name, reason]) => [normalizePath(name), reason]),
);

const GIT = "belongs to Git, which may run what is in it";

const GUARDED_DIRECTORIES: Readonly<Record<string, string>> = {
  ".caliban": "controls what caliban is told and allowed to do",
  ".claude": "controls what agents are told and allowed to do",
  ".git": GIT,
  "git~1": GIT,
};

/** Says why a file always needs approval, judged by the end of its path. The separator is `/`. */
export function instructionReason(path: string): string | undefined {
  const parts = path.split("/");
  for (const ending of [parts.slice(-1), parts.slice(-2)]) {
    const reason = REASONS.get(normalizePath(ending.join("/")));
    if (reason !== undefined) return `${ending.join("/")} ${reason}.`;
  }
  return undefined;
}

/** Says why everything below a directory in this path always needs approval. The separator is `/`. */
export function guardedReason(path: string): string | undefined {
  for (const name of path.split("/")) {
    const reason = GUARDED_DIRECTORIES[normalizeName(name)];
    if (reason !== undefined) return `${name} ${reason}.`;
  }
  return undefined;
}

function normalizePath(path: string): string {
  return path.split("/").map(normalizeName).join("/");
}

/** Normalizes a name like a file system that ignores case, trailing dots or invisible characters. */
function normalizeName(name: string): string {
  return name
    .replace(/\p{Cf}/gu, "")
    .replace(/[. ]+$/, "")
    .normalize("NFKC")
    .toLowerCase();
}
