import type { Environment } from "@caliban/common";
import { checkTopicFile } from "@caliban/memory";
import { findSecrets } from "@caliban/memory/node";
import { isTeamError, TeamError } from "../errors.ts";
import type { TeamAuthor } from "../team/author.ts";
import type { SharedTopic, TeamLogEntry } from "../team/changes.ts";
import { TEAM_LIMITS, type TeamLimits } from "../team/limits.ts";
import { sharedText } from "../team/shared-text.ts";
import type { SyncResult, TeamStatus } from "../team/sync-result.ts";
import type { LogInput, SyncInput, Team, TopicFile } from "../team/team.ts";
import { actionOf } from "../state/pending-change.ts";
import { newState, type TeamState, versionOf } from "../state/state.ts";
import { approveKey, isWaiting, useWaiting } from "../trust/take-over.ts";
import { checkRemote } from "./check-remote.ts";
import { createTeamFiles, type TeamFiles } from "./files/team-files.ts";
import { fetchHead, initRepository, type Repository } from "./git/repository.ts";
import { readTeamLog } from "./trust/read-team-log.ts";
import { sync } from "./sync/sync.ts";
import { syncNothing } from "./sync/sync-nothing.ts";
import { waitingChanges } from "../trust/waiting-changes.ts";
import { addSigner, approvedFingerprints, removeSigner } from "./trust/signers-file.ts";

export interface OpenTeamInput {
  /** Where the team memory of this project is, below the data home. `init` creates it. */
  readonly directory: string;
  /** The keys that the user approved, in the format of `ssh-keygen`; below the config home. */
  readonly allowedSignersFile: string;
  /** The environment of the user, for git, its credential helpers and ssh. */
  readonly env: Environment;
  /** Who makes changes. If left out, what git is configured to use. */
  readonly author?: { readonly name: string; readonly email: string } | undefined;
  /** The SSH key that signs changes. If left out, what git is configured to use; `false` signs nothing. */
  readonly signingKey?: string | false | undefined;
  /** The program; `git` if left out. */
  readonly git?: string | undefined;
  readonly limits?: Partial<TeamLimits> | undefined;
  readonly now?: (() => number) | undefined;
}

/** Opens the team memory in a directory, which need not exist. Runs no git and reads nothing before the first call. */
export function openTeam(input: OpenTeamInput): Team {
  const files = createTeamFiles(input.directory);
  const now = input.now ?? Date.now;
  const context: Context = { input, files, now };
  return {
    init: (remote) => init(context, remote),
    status: async () => status(context),
    topics: async () => listTopics(files),
    sync: (options = {}) => runSync(context, options),
    share: (topic) => share(context, topic),
    unshare: (slug) => unshare(context, slug),
    log: (options = {}) => log(context, options),
    accept: (version) => change(context, (state) => useWaiting(state, waitingSlug(state, version))),
    reject: (version) => change(context, (state) => reject(state, waitingSlug(state, version))),
    approve: (key) => approve(context, key),
    revoke: (key) => revoke(context, key),
    settle: (id) => files.removeConflict(id),
    acceptRewrite: (after) =>
      change(context, (state) => ({ ...state, acceptedRewrite: after ?? "none" })),
    leave: (options = {}) => leave(context, options.force === true),
  };
}

interface Context {
  readonly input: OpenTeamInput;
  readonly files: TeamFiles;
  readonly now: () => number;
}

async function init({ files }: Context, text: string): Promise<void> {
  const remote = checkRemote(text);
  await files.lock(async () => {
    const state = files.readState();
    if (state !== undefined && state.remote !== remote) {
      const message = `this project shares memory with ${state.remote}; leave it first`;
      throw new TeamError("ALREADY_JOINED", message);
    }
    if (state === undefined) await files.writeState(newState(remote));
  });
}

function status({ input, files }: Context): TeamStatus | undefined {
  const state = files.readState();
  if (state === undefined) return undefined;
  return {
    remote: state.remote,
    head: state.head,
    syncedAt: files.readSyncTime(),
    sharedTopics: state.topics.size,
    usedTopics: listTopics(files).length,
    pending: files
      .listPending()
      .map((pending) => ({ slug: pending.slug, action: actionOf(pending) })),
    conflicts: files.listConflicts(),
    waiting: waitingChanges(state),
    refused: state.refused,
    approvedKeys: approvedFingerprints(input.allowedSignersFile),
  };
}

const ME: TeamAuthor = { name: "you", email: "", isApproved: true };

/** What is used, with the changes of this user that were not sent. */
function listTopics(files: TeamFiles): readonly SharedTopic[] {
  const state = files.readState();
  if (state === undefined) return [];
  const topics = new Map<string, SharedTopic>();
  for (const [slug, { text, author, at }] of state.used) {
    topics.set(slug, { slug, text, author, at, isPending: false });
  }
  for (const { slug, text, at } of files.listPending()) {
    if (text === undefined) topics.delete(slug);
    else topics.set(slug, { slug, text, author: ME, at, isPending: true });
  }
  return [...topics.values()].toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
}

async function runSync(context: Context, options: SyncInput): Promise<SyncResult> {
  const { files, now, input } = context;
  if (files.readBrief() === undefined) joined(files);
  return await files.lock(async () => {
    const brief = files.readBrief();
    const { remote } = brief ?? joined(files);
    const repository = repositoryOf(context, remote, options);
    await initRepository(repository);
    const fetched = await fetchHead(repository);
    const { author, signingKey } = input;
    const nothing = await syncNothing({ files, now }, brief, fetched);
    const send = { files, repository, signer: { author, signingKey }, now };
    return nothing ?? (await sync(send, joined(files), fetched));
  });
}

function repositoryOf(
  { input, files }: Context,
  remote: string,
  { interactive = false, signal }: SyncInput,
): Repository {
  const { env, git = "git", allowedSignersFile } = input;
  const { directory, repository } = files;
  return {
    git: {
      program: git,
      repository,
      directory,
      env,
      isInteractive: interactive,
      signal,
      allowedSignersFile,
    },
    remote,
    limits: { ...TEAM_LIMITS, ...input.limits },
  };
}

async function share({ files, now }: Context, { slug, text }: TopicFile): Promise<void> {
  joined(files);
  const shared = sharedText(text);
  const checked = await checkTopicFile({ name: slug, text: shared, findSecrets });
  if (checked.kind === "invalid") {
    const code = checked.code === "SECRET_FOUND" ? "SECRET_FOUND" : "INVALID_TOPIC";
    throw new TeamError(code, `cannot share ${JSON.stringify(slug)}: ${checked.message}`);
  }
  await files.addPending(() => {
    const base = current(files, slug);
    return base === shared ? undefined : { slug, text: shared, base, at: timeOf(now) };
  });
}

async function unshare({ files, now }: Context, slug: string): Promise<void> {
  joined(files);
  await files.addPending(() => {
    const base = current(files, slug);
    if (base === undefined)
      throw new TeamError("UNKNOWN_TOPIC", `no shared topic ${JSON.stringify(slug)}`);
    return { slug, text: undefined, base, at: timeOf(now) };
  });
}

/** What the user sees, which is what a change starts from. */
function current(files: TeamFiles, slug: string): string | undefined {
  return listTopics(files).find((topic) => topic.slug === slug)?.text;
}

function timeOf(now: () => number): string {
  return new Date(now()).toISOString();
}

async function log(context: Context, options: LogInput): Promise<readonly TeamLogEntry[]> {
  const state = joined(context.files);
  if (state.head === undefined) return [];
  return await readTeamLog(repositoryOf(context, state.remote, {}), state.head, options);
}

async function change({ files }: Context, update: (state: TeamState) => TeamState): Promise<void> {
  await files.lock(async () => files.writeState(update(joined(files))));
}

function waitingSlug(state: TeamState, version: string): string {
  for (const slug of state.unapproved.keys()) {
    if (isWaiting(state, slug) && versionOf(state, slug) === version) return slug;
  }
  const message = "this change is no longer waiting, or was changed meanwhile; look at it again";
  throw new TeamError("CHANGED_MEANWHILE", message);
}

function reject(state: TeamState, slug: string): TeamState {
  const waiting = state.unapproved.get(slug);
  if (waiting === undefined) return state;
  const rejected = state.topics.get(slug) ?? "removed";
  return { ...state, unapproved: new Map([...state.unapproved, [slug, { ...waiting, rejected }]]) };
}

async function approve({ input, files }: Context, key: string): Promise<TeamAuthor> {
  return await files.lock(async () => {
    const state = joined(files);
    const seen = state.keys.get(key);
    if (seen === undefined) {
      throw new TeamError(
        "UNKNOWN_AUTHOR",
        `no change is signed with the key ${JSON.stringify(key)}`,
      );
    }
    await addSigner(input.allowedSignersFile, seen);
    await files.writeState(approveKey(state, key));
    return { name: seen.name, email: seen.email, key, isApproved: true };
  });
}

async function revoke({ input, files }: Context, key: string): Promise<void> {
  await files.lock(async () => removeSigner(input.allowedSignersFile, key));
}

async function leave({ files }: Context, isForced: boolean): Promise<void> {
  await files.lock(async () => {
    const isUnsent = isJoined(files) && files.listPending().length > 0;
    if (isUnsent && !isForced) {
      const message = "some changes were not sent yet; sync first, or they are lost";
      throw new TeamError("NOT_SENT", message);
    }
    files.removeAll();
  });
}

/** A damaged state can be left, too. */
function isJoined(files: TeamFiles): boolean {
  try {
    return files.readState() !== undefined;
  } catch (error) {
    if (isTeamError(error)) return true;
    throw error;
  }
}

function joined(files: TeamFiles): TeamState {
  const state = files.readState();
  if (state !== undefined) return state;
  throw new TeamError(
    "NOT_JOINED",
    "this project does not share memory; run: caliban memory team init REMOTE",
  );
}
