import { parseJsonRecord } from "@caliban/common";

/** Which project a project home belongs to. The first write stores it; reading never does. */
export interface ProjectRecord {
  /** The real path of the workspace. */
  readonly path: string;
  /** The root commits of the repository; none when it is shallow or not a repository. */
  readonly rootCommits: readonly string[];
  /** The URLs of its remotes, without user names and passwords. */
  readonly remotes: readonly string[];
}

/** Returns `undefined` for anything that we would not have written. */
export function parseProjectRecord(text: string): ProjectRecord | undefined {
  const { path, rootCommits, remotes } = parseJsonRecord(text) ?? {};
  if (typeof path !== "string" || !isStringList(rootCommits) || !isStringList(remotes)) {
    return undefined;
  }
  return { path, rootCommits, remotes };
}

export function renderProjectRecord({ path, rootCommits, remotes }: ProjectRecord): string {
  return `${JSON.stringify({ version: 1, path, rootCommits, remotes }, undefined, 2)}\n`;
}

type RepositoryFacts = Omit<ProjectRecord, "path">;

/** Whether two records are of the same repository: they share a root commit, and a remote if either has one. */
export function isSameRepository(one: RepositoryFacts, other: RepositoryFacts): boolean {
  return shares(one.rootCommits, other.rootCommits) && haveSameRemote(one.remotes, other.remotes);
}

/** Whether they share a remote, or neither has any. */
export function haveSameRemote(one: readonly string[], other: readonly string[]): boolean {
  return (one.length === 0 && other.length === 0) || shares(one, other);
}

function shares(one: readonly string[], other: readonly string[]): boolean {
  return one.some((item) => other.includes(item));
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

const MAX_CONFIG_LINE = 1_000;

/** The URLs of the remotes in the text of a git config file. Included files are not read. */
export function parseRemotes(config: string): readonly string[] {
  const found: string[] = [];
  let isRemote = false;
  for (const line of config.split("\n")) {
    if (line.length > MAX_CONFIG_LINE) continue;
    const section = /^\s*\[\s*([A-Za-z.-]+)/.exec(line)?.[1];
    if (section !== undefined) isRemote = section.toLowerCase() === "remote";
    const url = isRemote ? /^\s*url\s*=\s*(\S.*)$/i.exec(line)?.[1] : undefined;
    if (url !== undefined) found.push(withoutUserInfo(url.trim()));
  }
  return found.toSorted();
}

/** Removes the user name and password from a URL. */
export function withoutUserInfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, "$1").replace(/^[^/]+@(?=[^/]+:)/, "");
}
