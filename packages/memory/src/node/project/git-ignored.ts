import { dirname, join, relative, resolve, sep } from "node:path";
import { type Environment, expandTilde, isAbsolutePath } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import type { Ignore } from "ignore";

const MAX_IGNORE_BYTES = 256 * 1024;
const MAX_LINE_CHARACTERS = 256;
const MAX_CHOICES = 3;
/** Of one list: lines of which each leaves a matcher several places to try. */
const MAX_SLOW_LINES = 100;

export interface GitIgnoreInput {
  readonly workspaceRoot: string;
  readonly env: Environment;
  readonly home: string | undefined;
}

/** A test whether git ignores a file of a workspace. The matcher and the files are read on first use. */
export function createGitIgnoreTest(input: GitIgnoreInput): (path: string) => Promise<boolean> {
  const matchers = new Map<string, Promise<Ignore | undefined>>();
  const matcherOf = async (file: string): Promise<Ignore | undefined> => {
    const known = matchers.get(file) ?? readMatcher(file);
    matchers.set(file, known);
    return await known;
  };
  let everywhere: Promise<readonly string[]> | undefined;

  async function isIgnoredItself(path: string, isDirectory: boolean): Promise<boolean> {
    everywhere ??= filesForAll(input);
    const files = [
      ...(await everywhere).map((file) => ({ base: input.workspaceRoot, file })),
      ...ignoreFilesAbove(input.workspaceRoot, path),
    ];
    let isIgnored = false;
    for (const { base, file } of files) {
      // The nearest file has the last word, so they are asked in order.
      // oxlint-disable-next-line no-await-in-loop
      const matcher = await matcherOf(file);
      const name = relative(base, path).split(sep).join("/");
      const answer = name === "" ? undefined : matcher?.test(isDirectory ? `${name}/` : name);
      if (answer?.ignored === true) isIgnored = true;
      if (answer?.unignored === true) isIgnored = false;
    }
    return isIgnored;
  }

  const directories = new Map<string, Promise<boolean>>();
  const isIgnoredDirectory = async (directory: string): Promise<boolean> => {
    const known = directories.get(directory) ?? isIgnoredItself(directory, true);
    directories.set(directory, known);
    return await known;
  };
  return async (path) => {
    // Below an ignored directory nothing can be brought back, so directories are asked from the top.
    for (const directory of directoriesBetween(input.workspaceRoot, path)) {
      if (await isIgnoredDirectory(directory)) return true; // oxlint-disable-line no-await-in-loop
    }
    return await isIgnoredItself(path, false);
  };
}

/** The files that hold for the whole workspace: the person's own, and the repository's private one. */
async function filesForAll(input: GitIgnoreInput): Promise<readonly string[]> {
  const { env, home, workspaceRoot } = input;
  const xdg = env["XDG_CONFIG_HOME"];
  const config = xdg !== undefined && xdg !== "" ? xdg : home && join(home, ".config");
  const files = config === undefined ? [] : [join(config, "git", "ignore")];
  const common = await commonDirectory(workspaceRoot);
  const configs = [
    ...(config === undefined ? [] : [join(config, "git", "config")]),
    ...(home === undefined ? [] : [join(home, ".gitconfig")]),
    join(common, "config"),
  ];
  const named = (await Promise.all(configs.map((file) => namedByGitConfig(file, home)))).flat();
  return [...files, ...named, join(common, "info", "exclude")];
}

/** `core.excludesFile` of a git config file. */
async function namedByGitConfig(
  file: string,
  home: string | undefined,
): Promise<readonly string[]> {
  const path = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(await textOf(file))?.[1];
  if (path === undefined) return [];
  const full = expandTilde("posix", path, home);
  return isAbsolutePath("posix", full) ? [full] : [join(dirname(file), full)];
}

/** Where a repository keeps what its worktrees share. */
async function commonDirectory(workspaceRoot: string): Promise<string> {
  const git = join(workspaceRoot, ".git");
  const pointer = /^gitdir: *(.+)$/m.exec(await textOf(git))?.[1]?.trim();
  if (pointer === undefined) return git;
  const own = resolve(workspaceRoot, pointer);
  const common = (await textOf(join(own, "commondir"))).trim();
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

function ignoreFilesAbove(
  workspaceRoot: string,
  path: string,
): readonly { readonly base: string; readonly file: string }[] {
  return [workspaceRoot, ...directoriesBetween(workspaceRoot, path)].map((base) => ({
    base,
    file: join(base, ".gitignore"),
  }));
}

/** A list that cannot be read to its end could name anything, so it is taken to name everything. */
async function readMatcher(path: string): Promise<Ignore | undefined> {
  const file = await readTextFile(path, MAX_IGNORE_BYTES);
  if (file.kind === "missing" || file.kind === "not-a-file") return undefined;
  const isWhole = file.kind === "text" && file.readBytes === file.fileBytes;
  const { default: ignore } = await import("ignore");
  return ignore({ ignorecase: false }).add(isWhole ? boundedLines(file.text) : "*");
}

/** So is a line that could take very long to match; one that brings something back is not followed then. */
function boundedLines(text: string): readonly string[] {
  let slow = 0;
  return text.split(/\r?\n/).flatMap((line) => {
    if (line === "" || line.startsWith("#")) return [];
    const choices = choicesOf(line);
    if (choices > 1) slow += 1;
    const isBounded =
      line.length <= MAX_LINE_CHARACTERS &&
      choices <= MAX_CHOICES &&
      (choices <= 1 || slow <= MAX_SLOW_LINES);
    if (isBounded) return [line];
    return line.startsWith("!") ? [] : ["*"];
  });
}

/** How many places in a name a matcher has to try in their product before it knows that a line does not fit. */
function choicesOf(line: string): number {
  return line
    .split("/")
    .map((name) =>
      /^!?\*{2,}$/.test(name) ? 1 : Math.max(0, (name.match(/\*+/g)?.length ?? 0) - 1),
    )
    .reduce((sum, choices) => sum + choices, 0);
}

async function textOf(path: string): Promise<string> {
  const file = await readTextFile(path, MAX_IGNORE_BYTES);
  return file.kind === "text" ? file.text : "";
}
