import type { Sha256Hex } from "./slug.ts";

/** What every clone of a repository has, wherever it is. */
export interface RepositoryFacts {
  /** The first commit of the history that leads to HEAD. */
  readonly rootCommit: string;
  /** The URL of the main remote, if there is one. */
  readonly remote: string | undefined;
}

/**
 * The names of a project in a store that several machines share, best first. Forks have the same root commit, so the remote
 * is part of the name. The second name is that from before the repository had a remote. A path is not part of either:
 * containers all use the same one.
 */
export function repositoryNames(
  { rootCommit, remote }: RepositoryFacts,
  sha256Hex: Sha256Hex,
): readonly [string, ...string[]] {
  const address = remote === undefined ? undefined : normalizeRemote(remote);
  const root = `git:${sha256Hex(rootCommit).slice(0, 16)}`;
  return address === undefined ? [root] : [`${root}:${shorten(address, sha256Hex)}`, root];
}

const MAX_ADDRESS_CHARACTERS = 100;

function shorten(address: string, sha256Hex: Sha256Hex): string {
  const isPlain = address.length <= MAX_ADDRESS_CHARACTERS && /^[\x21-\x7E]+$/.test(address);
  return isPlain ? address : sha256Hex(address);
}

/**
 * The host and path of a remote, the same for all protocols; `undefined` for a path on this machine, which other machines
 * do not have.
 */
export function normalizeRemote(url: string): string | undefined {
  const { host, path } = /^(?:[a-z][a-z0-9+.-]*:\/\/)/i.test(url) ? splitUrl(url) : splitScp(url);
  if (host === "" || path === "") return undefined;
  // Most hosts ignore case, and the root commit tells the others apart.
  return `${host}/${path}`.toLowerCase();
}

/** Compares remotes: the host and path, or the whole URL of a path on this machine. */
export function repositoryAddress(url: string): string {
  return normalizeRemote(url) ?? url.replace(/\/+$/, "").replace(/\.git$/i, "");
}

interface RemoteParts {
  readonly host: string;
  readonly path: string;
}

const NOT_REMOTE: RemoteParts = { host: "", path: "" };

function splitUrl(url: string): RemoteParts {
  const [, protocol = "", authority = "", path = ""] = /^([^:]+):\/\/([^/]*)(.*)$/.exec(url) ?? [];
  if (protocol.toLowerCase() === "file") return NOT_REMOTE;
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "");
  return { host, path: plainPath(path) };
}

/** `user@host:path`, as git and ssh write it. */
function splitScp(url: string): RemoteParts {
  const [, host = "", path = ""] = /^(?:[^/@]*@)?([^/:@]{2,}):(?!\\)(.+)$/.exec(url) ?? [];
  return { host, path: plainPath(path) };
}

function plainPath(path: string): string {
  return path
    .replace(/[?#].*$/, "")
    .replace(/^\/+|\/+$/g, "")
    .replace(/\.git$/i, "");
}
