import type { ChangePlan, PlannedCommit } from "../../changes/plan-changes.ts";
import { actionOf } from "../../state/pending-change.ts";
import type { PushedCommit, TeamState } from "../../state/state.ts";
import type { TopicAction } from "../../team/changes.ts";
import type { UnsentChange } from "../../team/sync-result.ts";
import { reasonOf } from "../../git/classify-failure.ts";
import { type Repository, throwIfAborted } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { type NewTreeEntry, writeBlobs, writeTrees } from "../git/objects.ts";
import { FORMAT_TEXT, REMOVED, TOPICS } from "./read-tree.ts";

/** Who makes a commit. What is left out is as git is configured. */
export interface Signer {
  readonly author?: { readonly name: string; readonly email: string } | undefined;
  readonly signingKey?: string | false | undefined;
}

export interface BuiltCommits {
  readonly kind: "built";
  readonly head: string;
  readonly commits: readonly PushedCommit[];
  /** The blobs of the topics after the last commit. */
  readonly topics: ReadonlyMap<string, string>;
  readonly removed: ReadonlyMap<string, string>;
}

/** Why no commit could be made. */
export interface CannotCommit extends Pick<UnsentChange, "code" | "message"> {
  readonly kind: "cannot-commit";
}

/** Creates the objects of the planned commits. Nothing refers to them before they are pushed. */
export async function buildCommits(
  repository: Repository,
  { state, plan, signer }: { state: TeamState; plan: ChangePlan; signer: Signer },
): Promise<BuiltCommits | CannotCommit> {
  const signing = await signingArguments(repository, signer);
  let [topics, removed] = [new Map(state.topics), new Map(state.removed)];
  let head = state.head;
  const commits: PushedCommit[] = [];
  for (const planned of plan.commits) {
    const tombstone = tombstoneOf(planned);
    const texts = planned.changes.flatMap(({ text }) => text ?? []);
    const oids = await writeBlobs(repository, [FORMAT_TEXT, tombstone, ...texts]);
    const [format = "", tombstoneOid = "", ...rest] = oids;
    for (const { change, text } of planned.changes) {
      if (text === undefined) {
        topics.delete(change.slug);
        removed.set(change.slug, tombstoneOid);
      } else {
        topics.set(change.slug, rest.shift() ?? "");
        removed.delete(change.slug);
      }
    }
    const tree = await writeRoot(repository, { format, topics, removed, kept: state.kept });
    const commit = await writeCommit(repository, { tree, parent: head, planned, signer, signing });
    if (typeof commit !== "string") return commit;
    head = commit;
    commits.push({ commit, pending: planned.changes.map(({ change }) => change.id) });
  }
  return { kind: "built", head: head ?? "", commits, topics, removed };
}

function tombstoneOf({ changes }: PlannedCommit): string {
  const last =
    changes
      .map(({ change }) => change.at)
      .toSorted()
      .at(-1) ?? "";
  return `removed ${last}\n`;
}

interface Root {
  readonly format: string;
  readonly topics: ReadonlyMap<string, string>;
  readonly removed: ReadonlyMap<string, string>;
  readonly kept: ReadonlyMap<string, string>;
}

async function writeRoot(repository: Repository, root: Root): Promise<string> {
  const [topics = "", removed = ""] = await writeTrees(repository, [
    entriesOf(root.topics, root.kept, TOPICS),
    entriesOf(root.removed, root.kept, REMOVED),
  ]);
  const entries: readonly NewTreeEntry[] = [
    { mode: "100644", oid: root.format, name: "format" },
    { mode: "040000", oid: removed, name: REMOVED },
    { mode: "040000", oid: topics, name: TOPICS },
  ];
  const [tree = ""] = await writeTrees(repository, [entries]);
  return tree;
}

function entriesOf(
  files: ReadonlyMap<string, string>,
  kept: ReadonlyMap<string, string>,
  directory: string,
): readonly NewTreeEntry[] {
  const names = new Map([...files].map(([slug, oid]) => [`${slug}.md`, oid]));
  for (const [path, oid] of kept) {
    const name = path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : undefined;
    if (name !== undefined && !names.has(name)) names.set(name, oid);
  }
  return [...names].map(([name, oid]) => ({ mode: "100644", oid, name }) as const);
}

interface NewCommit {
  readonly tree: string;
  readonly parent: string | undefined;
  readonly planned: PlannedCommit;
  readonly signer: Signer;
  readonly signing: Signing;
}

async function writeCommit(
  repository: Repository,
  { tree, parent, planned, signer, signing }: NewCommit,
): Promise<string | CannotCommit> {
  const { git, limits } = repository;
  const { author } = signer;
  const result = await runGit(git, {
    command: [
      "commit-tree",
      ...(parent === undefined ? [] : ["-p", parent]),
      ...(signing.isSigned ? ["-S"] : []),
      "-F",
      "-",
      tree,
    ],
    settings: [
      ...signing.settings,
      ...(author === undefined ? [] : [`user.name=${author.name}`, `user.email=${author.email}`]),
    ],
    input: messageOf(planned),
    timeoutMs: signing.isSigned ? limits.networkTimeoutMs : limits.localTimeoutMs,
    maxOutputBytes: 1_000,
  });
  throwIfAborted(result);
  if (result.status === 0) return result.output.toString("utf8").trim();
  const message = reasonOf(result.stderr);
  const isIdentity =
    /tell me who you are|auto-detection is disabled|empty ident|no email was given/i.test(
      result.stderr,
    );
  if (isIdentity) {
    const remedy =
      "git does not know your name; run: git config --global user.name, and user.email";
    return { kind: "cannot-commit", code: "NO_IDENTITY", message: remedy };
  }
  return { kind: "cannot-commit", code: "CANNOT_SIGN", message: `cannot sign changes: ${message}` };
}

const VERBS: Readonly<Record<TopicAction, string>> = {
  share: "share",
  edit: "edit",
  unshare: "unshare",
};
const MAX_NAMES = 3;

function messageOf({ changes }: PlannedCommit): string {
  const lines = changes.map(({ change }) => `${VERBS[actionOf(change)]} ${change.slug}`);
  const more = lines.length > MAX_NAMES ? ` and ${lines.length - MAX_NAMES} more` : "";
  return `${lines.slice(0, MAX_NAMES).join(", ")}${more}\n`;
}

interface Signing {
  readonly isSigned: boolean;
  readonly settings: readonly string[];
}

/** An SSH key, given or configured; other kinds of signatures say nothing to others. */
async function signingArguments(
  { git, limits }: Repository,
  { signingKey }: Signer,
): Promise<Signing> {
  if (signingKey === false) return { isSigned: false, settings: [] };
  if (signingKey !== undefined) {
    return { isSigned: true, settings: ["gpg.format=ssh", `user.signingKey=${signingKey}`] };
  }
  const { output } = await runGit(git, {
    command: ["config", "-z", "--get-regexp", "^(gpg\\.format|user\\.signingkey)$"],
    timeoutMs: limits.localTimeoutMs,
    maxOutputBytes: 10_000,
  });
  const lines = output.toString("utf8").split("\0");
  const isSigned =
    lines.includes("gpg.format\nssh") && lines.some((line) => /^user\.signingkey\n./.test(line));
  return { isSigned, settings: [] };
}
