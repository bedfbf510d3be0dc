import { existsSync } from "node:fs";
import type { SeenKey, TeamState } from "../../state/state.ts";
import type { TeamAuthor } from "../../team/author.ts";
import { type LoggedCommit, LOG_FORMAT, parseLog } from "../../trust/parse-log.ts";
import { type Repository, runOrThrow } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { publicKeyOf } from "./allowed-signers.ts";
import { fingerprintOf } from "./fingerprint.ts";

/** Who changed which topic since the head that was taken over last. */
export interface History {
  readonly bySlug: ReadonlyMap<string, TopicCommits>;
  /** The keys of authors that were not seen before. */
  readonly keys: ReadonlyMap<string, SeenKey>;
  /** The changes of this user that are among them. */
  readonly sent: readonly string[];
  readonly at: string;
}

interface TopicCommits {
  /** The last one first. */
  readonly authors: readonly TeamAuthor[];
  readonly at: string;
}

const EPOCH = new Date(0).toISOString();
const NO_HISTORY: History = { bySlug: new Map(), keys: new Map(), sent: [], at: EPOCH };
const COMMITS_AT_ONCE = 200;
const MAX_COMMIT_BYTES = 4_000_000;

export interface ReadHistoryInput {
  readonly state: TeamState;
  readonly head: string | undefined;
  /** The topics that changed. */
  readonly slugs: ReadonlySet<string>;
}

export async function readHistory(
  repository: Repository,
  { state, head, slugs }: ReadHistoryInput,
): Promise<History> {
  if (head === undefined || (slugs.size === 0 && state.pushing.length === 0)) return NO_HISTORY;
  const ids = await listCommits(repository, state.head, head);
  // Too long to be read: everything in it is by unknown authors.
  if (ids === undefined) return NO_HISTORY;
  const commits: LoggedCommit[] = [];
  for (let from = 0; from < ids.length; from += COMMITS_AT_ONCE) {
    const part = await readCommits(repository, ids.slice(from, from + COMMITS_AT_ONCE));
    if (part === undefined) return NO_HISTORY;
    commits.push(...part);
  }
  const own = new Map(state.pushing.map(({ commit, pending }) => [commit, pending]));
  return {
    bySlug: groupBySlug(commits, slugs, new Set(own.keys())),
    keys: await readKeys(repository, commits, state.keys),
    sent: commits.flatMap(({ id }) => own.get(id) ?? []),
    at: commits[0]?.at ?? EPOCH,
  };
}

async function listCommits(
  { git, limits }: Repository,
  from: string | undefined,
  to: string,
): Promise<readonly string[] | undefined> {
  const { status, output } = await runGit(git, {
    command: [
      "rev-list",
      "--topo-order",
      `--max-count=${limits.maxCommits + 1}`,
      to,
      ...(from === undefined ? [] : [`^${from}`]),
    ],
    timeoutMs: limits.localTimeoutMs,
    maxOutputBytes: (limits.maxCommits + 1) * 70,
  });
  const ids = output
    .toString("latin1")
    .split("\n")
    .filter((id) => id !== "");
  return status === 0 && ids.length <= limits.maxCommits ? ids : undefined;
}

/** `undefined` if git cannot read them, or they changed more files than there may be. */
async function readCommits(
  repository: Repository,
  ids: readonly string[],
): Promise<readonly LoggedCommit[] | undefined> {
  const { git, limits } = repository;
  const { status, output } = await runGit(git, {
    command: [
      "log",
      "--no-walk=unsorted",
      "--stdin",
      "-z",
      LOG_FORMAT,
      "--name-status",
      "--no-renames",
      "--no-mailmap",
      "--root",
      "-r",
      "-m",
    ],
    settings: signatureSettings(git.allowedSignersFile),
    input: ids.map((id) => `${id}\n`).join(""),
    // Each signature is checked by a program.
    timeoutMs: limits.localTimeoutMs + ids.length * 1_000,
    maxOutputBytes: ids.length * 1_000 + (limits.maxTopics + limits.maxRemoved) * 300,
  });
  return status === 0 ? parseLog(output.toString("utf8")) : undefined;
}

export function signatureSettings(allowedSignersFile: string): readonly string[] {
  const file = existsSync(allowedSignersFile) ? allowedSignersFile : "/dev/null";
  return [
    "gpg.format=ssh",
    "gpg.ssh.program=ssh-keygen",
    `gpg.ssh.allowedSignersFile=${file}`,
    "gpg.ssh.revocationFile=",
  ];
}

const TOPIC_PATH = /^(?:topics|removed)\/([^/]+)\.md$/;

function groupBySlug(
  commits: readonly LoggedCommit[],
  slugs: ReadonlySet<string>,
  own: ReadonlySet<string>,
): ReadonlyMap<string, TopicCommits> {
  const found = new Map<string, { readonly authors: TeamAuthor[]; readonly at: string }>();
  for (const commit of commits) {
    const author = authorOf(commit, own);
    for (const slug of slugsOf(commit).filter((name) => slugs.has(name))) {
      const known = found.get(slug);
      if (known === undefined) found.set(slug, { authors: [author], at: commit.at });
      else known.authors.push(author);
    }
  }
  return found;
}

function slugsOf({ files }: LoggedCommit): readonly string[] {
  return [...new Set(files.flatMap(({ path }) => TOPIC_PATH.exec(path)?.[1] ?? []))];
}

export function authorOf(
  { id, name, email, signature, key }: LoggedCommit,
  own: ReadonlySet<string>,
): TeamAuthor {
  const isValid = (signature === "G" || signature === "U") && key.startsWith("SHA256:");
  const isApproved = own.has(id) || (signature === "G" && isValid);
  return { name, email, ...(isValid ? { key } : {}), isApproved };
}

/** The public keys inside the signatures, so that they can be approved. */
async function readKeys(
  { git, limits }: Repository,
  commits: readonly LoggedCommit[],
  known: ReadonlyMap<string, SeenKey>,
): Promise<ReadonlyMap<string, SeenKey>> {
  const found = new Map<string, SeenKey>();
  for (const { id, key, signature, name, email } of commits) {
    if (!["G", "U"].includes(signature) || known.has(key) || found.has(key)) continue;
    const output = await runOrThrow(git, {
      command: ["cat-file", "commit", id],
      timeoutMs: limits.localTimeoutMs,
      maxOutputBytes: MAX_COMMIT_BYTES,
    });
    // Each line of the signature is indented by one space.
    const header = output.toString("latin1").split("\n\n", 1)[0] ?? "";
    const publicKey = publicKeyOf(header.replaceAll("\n ", "\n"));
    if (publicKey === undefined || fingerprintOf(publicKey) !== key) continue;
    found.set(key, { publicKey, name, email });
  }
  return found;
}
