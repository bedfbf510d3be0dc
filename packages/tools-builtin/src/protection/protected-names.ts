/** Files and directories that are protected for the same reason. */
export interface ProtectedGroup {
  /** The rest of a sentence that starts with the name, without the period. */
  readonly reason: string;
  /** Files with these names, in any directory. */
  readonly files: readonly string[];
  /** Everything in directories with these names, wherever they are. */
  readonly directories: readonly string[];
}

const INSTRUCTIONS: ProtectedGroup = {
  reason: "tells agents what to do, in this session and in every other",
  files: [
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "AGENTS.override.md",
    ".caliban.md",
    "GEMINI.md",
    "QWEN.md",
    ".cursorrules",
    ".windsurfrules",
    ".goosehints",
    ".github/copilot-instructions.md",
  ],
  directories: [],
};

const GIT: ProtectedGroup = {
  reason: "belongs to Git, which may run what is in it",
  files: [],
  directories: [".git", "git~1"],
};

/**
 * The files that run later without anyone asking for it, or that steer other tools. `Write` and `Edit` ask before they
 * change one, and commands in the sandbox cannot change them. Of `package.json`, only what package managers run counts.
 */
export const PROTECTED_GROUPS: readonly ProtectedGroup[] = [
  INSTRUCTIONS,
  {
    reason: "tells agents which programs to start and which servers to contact",
    files: [".mcp.json", ".claude.json", "opencode.json", "opencode.jsonc", ".aider.conf.yml"],
    directories: [],
  },
  {
    reason: "controls what caliban is told and allowed to do",
    files: [],
    directories: [".caliban"],
  },
  {
    reason: "controls what agents are told and allowed to do",
    files: [],
    directories: [
      ".claude",
      ".codex",
      ".gemini",
      ".cursor",
      ".opencode",
      ".qwen",
      ".windsurf",
      ".clinerules",
      ".roo",
      ".continue",
      ".kiro",
      ".junie",
      ".github/agents",
      ".github/chatmodes",
      ".github/instructions",
      ".github/prompts",
    ],
  },
  GIT,
  {
    reason: "controls which programs Git runs",
    files: [
      ".gitconfig",
      ".gitmodules",
      ".pre-commit-config.yaml",
      "lefthook.yml",
      "lefthook.yaml",
      ".lefthook.yml",
      ".lefthook.yaml",
      ".lintstagedrc",
      ".lintstagedrc.json",
      "lint-staged.config.js",
    ],
    directories: [".config/git", ".husky", ".githooks", ".lefthook"],
  },
  {
    reason: "runs when a shell starts or enters the directory",
    files: [
      ".envrc",
      ".bashrc",
      ".bash_profile",
      ".bash_login",
      ".bash_logout",
      ".bash_aliases",
      ".profile",
      ".zshrc",
      ".zshenv",
      ".zprofile",
      ".zlogin",
      ".zlogout",
      ".kshrc",
      "mise.toml",
      ".mise.toml",
    ],
    directories: [".config/fish", ".config/mise", ".mise"],
  },
  {
    reason: "runs when you log in",
    files: [".xprofile", ".xinitrc", ".xsession", ".pam_environment"],
    directories: [
      ".config/autostart",
      ".config/environment.d",
      ".config/systemd",
      "Library/LaunchAgents",
    ],
  },
  {
    reason: "is on the search path for programs",
    files: [],
    directories: [".local/bin"],
  },
  {
    reason: "can run programs when an editor opens the directory",
    files: [
      ".devcontainer.json",
      ".exrc",
      ".vimrc",
      ".nvimrc",
      ".nvim.lua",
      ".dir-locals.el",
      ".emacs",
    ],
    directories: [
      ".vscode",
      ".idea",
      ".zed",
      ".fleet",
      ".devcontainer",
      ".vim",
      ".emacs.d",
      ".config/nvim",
    ],
  },
  {
    reason: "controls what package managers run and where they load packages from",
    files: [".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.mjs", "pip.conf"],
    directories: [".cargo", ".yarn/plugins", ".yarn/releases"],
  },
  {
    reason: "runs on a build server",
    files: [
      ".gitlab-ci.yml",
      ".travis.yml",
      ".drone.yml",
      ".woodpecker.yml",
      "Jenkinsfile",
      "appveyor.yml",
      "azure-pipelines.yml",
      "bitbucket-pipelines.yml",
    ],
    directories: [
      ".github/actions",
      ".github/workflows",
      ".forgejo/workflows",
      ".gitea/workflows",
      ".buildkite",
      ".circleci",
      ".woodpecker",
    ],
  },
];

/** The names of instruction files as they are usually written. */
export const INSTRUCTION_FILE_NAMES: readonly string[] = INSTRUCTIONS.files;

const FILES = reasonsBy("files");
const DIRECTORIES = reasonsBy("directories");

const LAST_PARTS = new Set([...FILES.keys(), ...DIRECTORIES.keys()].map(lastPart));

// Names have at most two parts.
const PARTS = [1, 2];

/** Says why a file is protected, judged by the end of its path. The separator is `/`. */
export function protectedFileReason(path: string): string | undefined {
  const parts = path.split("/");
  for (const count of PARTS) {
    const ending = parts.slice(-count).join("/");
    const reason = FILES.get(normalizePath(ending));
    if (reason !== undefined) return `${ending} ${reason}.`;
  }
  return undefined;
}

/** Says why a protected directory, or what is below it, is protected. The separator is `/`. */
export function protectedDirectoryReason(path: string): string | undefined {
  const parts = path.split("/");
  for (const index of parts.keys()) {
    for (const count of PARTS) {
      const name = parts.slice(index, index + count).join("/");
      const reason = DIRECTORIES.get(normalizePath(name));
      if (reason !== undefined) return `${name} ${reason}.`;
    }
  }
  return undefined;
}

/**
 * Whether an entry of a directory that is not protected itself has a protected name. Takes the path, with the separator
 * `/`. Fast, because every entry of a workspace is checked before and after a command.
 */
export function isProtectedEntry(path: string): boolean {
  const start = path.lastIndexOf("/") + 1;
  if (!LAST_PARTS.has(normalizeName(path.slice(start)))) return false;
  const ending = path.slice(path.lastIndexOf("/", start - 2) + 1);
  return [ending, path.slice(start)].some((name) => {
    const normalized = normalizePath(name);
    return FILES.has(normalized) || DIRECTORIES.has(normalized);
  });
}

const GIT_CONTROLS: ReadonlySet<string> = new Set([
  "head",
  "config",
  "config.worktree",
  "commondir",
  "hooks",
  "modules",
  "worktrees",
]);

/**
 * The names in a Git directory, whatever it is called, that make it one or decide what Git runs. Takes all names in a
 * directory. Returns none for any other directory.
 */
export function gitControls(names: readonly string[]): ReadonlySet<string> {
  const known = new Set(names.map((name) => name.toLowerCase()));
  const isGit =
    known.has("head") && (known.has("commondir") || (known.has("objects") && known.has("refs")));
  return new Set(isGit ? names.filter((name) => GIT_CONTROLS.has(name.toLowerCase())) : []);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function reasonsBy(kind: "files" | "directories"): ReadonlyMap<string, string> {
  return new Map(
    PROTECTED_GROUPS.flatMap(({ reason, [kind]: names }) =>
      // Cheaper than to normalize them, because this runs with every start.
      names.map((name) => [name.toLowerCase(), reason] as const),
    ),
  );
}

function normalizePath(path: string): string {
  return path.split("/").map(normalizeName).join("/");
}

// Most names need no more than lower case.
const PLAIN = /^[\x21-\x7E]*[\x21-\x2D\x2F-\x7E]$/;

/** Normalizes a name like a file system that ignores case, trailing dots or invisible characters. */
function normalizeName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  return name
    .replace(/\p{Cf}/gu, "")
    .replace(/[. ]+$/, "")
    .normalize("NFKC")
    .toLowerCase();
}
