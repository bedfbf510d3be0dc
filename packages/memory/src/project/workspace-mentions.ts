import { joinPath, type PathStyle } from "@caliban/common";
import { normalizeRemote } from "./shared-names.ts";

/** What a text can call a workspace. */
export interface WorkspaceNames {
  /** Its directories: as opened, as a real path, and the main worktree. */
  readonly paths: readonly string[];
  /** The URLs of its remotes. */
  readonly remotes: readonly string[];
  readonly home: string | undefined;
  readonly style: PathStyle;
}

/**
 * Finds the parts of a text that name a workspace: its path, absolute or with `~`, or one of its remotes as a URL, in the
 * form of ssh, or as `owner/repository`. Each is returned once, as it is written in the text.
 */
export function findWorkspaceMentions(text: string, names: WorkspaceNames): readonly string[] {
  const plain = text.normalize("NFKC");
  const paths = pathPatterns(names).flatMap((pattern) =>
    Array.from(plain.matchAll(pattern), ([words]) => words),
  );
  const remotes = names.remotes.flatMap((remote) =>
    Array.from(plain.matchAll(remotePattern(remote)), ({ 0: words, index }) =>
      plain.slice(startOfAddress(plain, index), index + words.length),
    ),
  );
  return [...new Set([...paths, ...remotes])];
}

function pathPatterns({ paths, home, style }: WorkspaceNames): readonly RegExp[] {
  const spellings = paths
    // These contain every project.
    .filter((path) => !isRoot(path) && path !== home)
    .flatMap((path) => spellingsOf(path, { home, style }));
  return [...new Set(spellings)].map(
    (path) => new RegExp(`(?<![\\w.~-])${anySlash(path)}(?![\\w-])`, "giu"),
  );
}

function isRoot(path: string): boolean {
  return /^(?:[a-z]:)?[\\/]*$/i.test(path);
}

/** Shells and programs write the home directory in several ways. */
function spellingsOf(
  path: string,
  { home, style }: Pick<WorkspaceNames, "home" | "style">,
): readonly string[] {
  if (home === undefined || !path.startsWith(joinPath(style, home, "x").slice(0, -1)))
    return [path];
  const rest = path.slice(home.length);
  return [home, "~", "$HOME", "${HOME}", "%USERPROFILE%"].map((start) => `${start}${rest}`);
}

function anySlash(path: string): string {
  const parts = path.replace(/[\\/]+$/, "").split(/[\\/]+/);
  return parts.map(escapeRegExp).join(String.raw`[\\/]+`);
}

/** The last two parts of the path of a remote name it, whatever is before them: a protocol, a host, groups. */
function remotePattern(remote: string): RegExp {
  const address = normalizeRemote(remote);
  const name = address === undefined ? localName(remote) : escapeRegExp(shortName(address));
  return new RegExp(`(?<![\\w.~-])${name}(?:\\.git)?(?![\\w-])`, "giu");
}

function shortName(address: string): string {
  const [host, ...path] = address.split("/");
  return path.length < 2 ? `${host}/${path.join("/")}` : path.slice(-2).join("/");
}

/** A remote may be a directory on this machine. */
function localName(remote: string): string {
  return anySlash(remote.replace(/^file:\/\//i, "").replace(/\.git$/, ""));
}

/** Where the address that contains this position starts. */
function startOfAddress(text: string, at: number): number {
  let start = at;
  while (start > 0 && /[\w+.~@:/-]/.test(text[start - 1] ?? "")) start--;
  return start;
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
