
/** Whose memory a project home holds: written beside it by the first write, never by a read. */
export interface ProjectRecord {
  /** The real path of the workspace. */
  readonly path: string;
  /** The first commits of the repository; none when it is shallow, or no repository. */
  readonly rootCommits: readonly string[];
  /** Addresses of its remotes, without user names and passwords. */
  readonly remotes: readonly string[];
}

/** `undefined` for anything but a record that we wrote. */
export function parseProjectRecord(text: string): ProjectRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const path: unknown = Reflect.get(value, "path");
    const rootCommits: unknown = Reflect.get(value, "rootCommits");
    const remotes: unknown = Reflect.get(value, "remotes");
    if (typeof path !== "string" || !isTextList(rootCommits) || !isTextList(remotes)) {
      return undefined;
    }
    return { path, rootCommits, remotes };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

export function renderProjectRecord({ path, rootCommits, remotes }: ProjectRecord): string {
  return `${JSON.stringify({ version: 1, path, rootCommits, remotes }, undefined, 2)}\n`;
}

/** Whether two records are of one repository: a first commit in common, and a remote if either has one. */
export function isSameRepository(
  one: Omit<ProjectRecord, "path">,
  other: Omit<ProjectRecord, "path">,
): boolean {
  return shares(one.rootCommits, other.rootCommits) && haveSameRemote(one.remotes, other.remotes);
}

/** Whether a remote is in common, or neither has any. */
export function haveSameRemote(one: readonly string[], other: readonly string[]): boolean {
  return (one.length === 0 && other.length === 0) || shares(one, other);
}

function shares(one: readonly string[], other: readonly string[]): boolean {
  return one.some((item) => other.includes(item));
}

/** Takes user names and passwords out of a remote's address. */
export function withoutUserInfo(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, "$1").replace(/^[^/]+@(?=[^/]+:)/, "");
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

const MAX_LINE = 1_000;

/** The addresses of the remotes in a repository's own config file; what it includes from elsewhere is not read. */
export function remotesInConfig(text: string): readonly string[] {
  const found: string[] = [];
  let isRemote = false;
  for (const line of text.split("\n")) {
    if (line.length > MAX_LINE) continue;
    const section = /^\s*\[\s*([A-Za-z.-]+)/.exec(line)?.[1];
    if (section !== undefined) isRemote = section.toLowerCase() === "remote";
    const url = isRemote ? /^\s*url\s*=\s*(\S.*)$/i.exec(line)?.[1] : undefined;
    if (url !== undefined) found.push(withoutUserInfo(url.trim()));
  }
  return found.toSorted();
}
