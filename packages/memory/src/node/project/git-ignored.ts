import { dirname, join, relative, resolve, sep } from "node:path";
import { type Environment, expandTilde, isAbsolutePath } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import type { Ignore } from "ignore";

const MAX_IGNORE_BYTES = 256 * 1024;
const MAX_LINE_CHARACTERS = 256;
const MAX_POSITIONS = 3;
/** Per file: lines that each give the matcher several positions to try. */
const MAX_SLOW_LINES = 100;

export interface GitIgnoreInput {
  readonly workspaceRoot: string;
  readonly env: Environment;
  readonly home: string | undefined;
}

/** Returns a test whether git ignores a file of a workspace. The matcher and the files are read on first use. */
export function createGitIgnoreTest(input: GitIgnoreInput): (path: string) => Promise<boolean> {
  const matchers = new Map<string, Promise<Ignore | undefined>>();
  const findMatcher = async (file: string): Promise<Ignore | undefined> => {
    const known = matchers.get(file) ?? readMatcher(file);
    matchers.set(file, known);
    return await known;
  };
  let sharedFiles: readonly string[] | undefined;

  async function matchesPath(path: string, isDirectory: boolean): Promise<boolean> {
    sharedFiles ??= findSharedFiles(input);
    const files = [
      ...sharedFiles.map((file) => ({ base: input.workspaceRoot, file })),
      ...findIgnoreFiles(input.workspaceRoot, path),
    ];
    let isIgnored = false;
    for (const { base, file } of files) {
      // The nearest file wins, so they are applied in order.
      const matcher = await findMatcher(file);
      const name = relative(base, path).split(sep).join("/");
      const answer = name === "" ? undefined : matcher?.test(isDirectory ? `${name}/` : name);
      if (answer?.ignored === true) isIgnored = true;
      if (answer?.unignored === true) isIgnored = false;
    }
    return isIgnored;
  }

  const ignoredDirectories = new Map<string, Promise<boolean>>();
  const isIgnoredDirectory = async (directory: string): Promise<boolean> => {
    const known = ignoredDirectories.get(directory) ?? matchesPath(directory, true);
    ignoredDirectories.set(directory, known);
    return await known;
  };
  return async (path) => {
    // Nothing below an ignored directory can be unignored, so directories are checked from the top.
    for (const directory of directoriesBetween(input.workspaceRoot, path)) {
      if (await isIgnoredDirectory(directory)) return true;
    }
    return await matchesPath(path, false);
  };
}

/** The ignore files for the whole workspace: the user's own, and the private one of the repository. */
function findSharedFiles(input: GitIgnoreInput): readonly string[] {
  const { env, home, workspaceRoot } = input;
  const xdg = env["XDG_CONFIG_HOME"];
  const config = xdg !== undefined && xdg !== "" ? xdg : home && join(home, ".config");
  const files = config === undefined ? [] : [join(config, "git", "ignore")];
  const common = findCommonDirectory(workspaceRoot);
  const configs = [
    ...(config === undefined ? [] : [join(config, "git", "config")]),
    ...(home === undefined ? [] : [join(home, ".gitconfig")]),
    join(common, "config"),
  ];
  const configured = configs.flatMap((file) => readExcludesFile(file, home));
  return [...files, ...configured, join(common, "info", "exclude")];
}

/** The `core.excludesFile` of a git config file. */
function readExcludesFile(file: string, home: string | undefined): readonly string[] {
  const path = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(readText(file))?.[1];
  if (path === undefined) return [];
  const full = expandTilde("posix", path, home);
  return isAbsolutePath("posix", full) ? [full] : [join(dirname(file), full)];
}

/** The directory that all worktrees of a repository share. */
function findCommonDirectory(workspaceRoot: string): string {
  const git = join(workspaceRoot, ".git");
  const pointer = /^gitdir: *(.+)$/m.exec(readText(git))?.[1]?.trim();
  if (pointer === undefined) return git;
  const own = resolve(workspaceRoot, pointer);
  const common = readText(join(own, "commondir")).trim();
  return common === "" ? own : resolve(own, common);
}

function directoriesBetween(workspaceRoot: string, path: string): readonly string[] {
  const directories: string[] = [];
  const below = workspaceRoot.endsWith(sep) ? workspaceRoot : workspaceRoot + sep;
  for (let current = dirname(path); current.startsWith(below); current = dirname(current)) {
    directories.unshift(current);
  }
  return directories;
}

function findIgnoreFiles(
  workspaceRoot: string,
  path: string,
): readonly { readonly base: string; readonly file: string }[] {
  return [workspaceRoot, ...directoriesBetween(workspaceRoot, path)].map((base) => ({
    base,
    file: join(base, ".gitignore"),
  }));
}

/** A file that cannot be read completely could ignore anything, so it counts as ignoring everything. */
async function readMatcher(path: string): Promise<Ignore | undefined> {
  const file = readTextFile(path, MAX_IGNORE_BYTES);
  if (file.kind === "missing" || file.kind === "not-a-file") return undefined;
  const isComplete = file.kind === "text" && file.readBytes === file.fileBytes;
  const { default: ignore } = await import("ignore");
  return ignore({ ignorecase: false }).add(isComplete ? boundedLines(file.text) : "*");
}

/** Likewise a line that could take very long to match; a line that unignores something is dropped instead. */
function boundedLines(text: string): readonly string[] {
  let slow = 0;
  return text.split(/\r?\n/).flatMap((line) => {
    if (line === "" || line.startsWith("#")) return [];
    const positions = countPositions(line);
    if (positions > 1) slow += 1;
    const isBounded =
      line.length <= MAX_LINE_CHARACTERS &&
      positions <= MAX_POSITIONS &&
      (positions <= 1 || slow <= MAX_SLOW_LINES);
    if (isBounded) return [line];
    return line.startsWith("!") ? [] : ["*"];
  });
}

/** How many positions the matcher has to combine before it knows that a line does not match. */
function countPositions(line: string): number {
  return line
    .split("/")
    .map((name) =>
      /^!?\*{2,}$/.test(name) ? 1 : Math.max(0, (name.match(/\*+/g)?.length ?? 0) - 1),
    )
    .reduce((sum, positions) => sum + positions, 0);
}

function readText(path: string): string {
  const file = readTextFile(path, MAX_IGNORE_BYTES);
  return file.kind === "text" ? file.text : "";
}
