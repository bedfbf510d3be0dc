import { setTimeout as delay } from "node:timers/promises";
import { checkTopicFile } from "@caliban/memory";
import { findSecrets } from "@caliban/memory/node";
import { type ChangePlan, planChanges } from "../../changes/plan-changes.ts";
import { actionOf, type PendingChange } from "../../state/pending-change.ts";
import type { TeamState, UsedTopic } from "../../state/state.ts";
import type { TopicChange } from "../../team/changes.ts";
import type { SyncedResult, SyncResult, UnsentChange } from "../../team/sync-result.ts";
import type { TeamFiles } from "../files/team-files.ts";
import { isAncestor, isCommit, readBlobs } from "../git/objects.ts";
import { repackIfNeeded } from "../git/repack.ts";
import { fetchHead, type FetchResult, pushHead, type Repository } from "../git/repository.ts";
import { receive } from "./receive.ts";
import { useWaiting } from "../../trust/take-over.ts";
import { waitingChanges } from "../../trust/waiting-changes.ts";
import { buildCommits, type BuiltCommits, type Signer } from "./send.ts";

export interface SyncContext {
  readonly files: TeamFiles;
  readonly repository: Repository;
  readonly signer: Signer;
  readonly now: () => number;
}

const MAX_PUSHING = 200;
const FIRST_DELAY_MS = 20;
const MAX_DELAY_MS = 2_000;

/** Fetches, merges and pushes, until the remote has what this clone has. Called under the lock. */
export async function sync(
  context: SyncContext,
  before: TeamState,
  first: FetchResult,
): Promise<SyncResult> {
  const { files, repository } = context;
  let state = before;
  const received: TopicChange[] = [];
  const sent: TopicChange[] = [];
  for (let attempt = 0; attempt < repository.limits.maxAttempts; attempt++) {
    if (attempt > 0) await delay(delayOf(attempt), undefined, { signal: repository.git.signal });
    const fetched = attempt === 0 ? first : await fetchHead(repository);
    const taken = await take(context, { state, sent, fetched });
    if ("result" in taken) return taken.result;
    ({ state } = taken);
    received.push(...taken.received);
    const pending = files.listPending();
    if (pending.length === 0) return await finish(context, state, { received, sent, unsent: [] });
    const plan = await makePlan(context, state, pending);
    await keepConflicts(context, plan);
    state = useOwn(state, pending, plan);
    if (plan.obsolete.length > 0) await files.writeState(state);
    await files.removePending(plan.obsolete);
    const unsent = plan.unsent.map(({ change, code, message }) =>
      unsentOf(change, { code, message }),
    );
    if (plan.commits.length === 0) return await finish(context, state, { received, sent, unsent });
    const built = await buildCommits(repository, { state, plan, signer: context.signer });
    if (built.kind === "cannot-commit") {
      const blocked = changesOf(plan).map((change) => unsentOf(change, built));
      return await finish(context, state, { received, sent, unsent: [...unsent, ...blocked] });
    }
    // Before the push: if this process dies now, the next sync knows these commits as its own. So are those of a push
    // that was given up, but may have arrived.
    state = { ...state, pushing: [...state.pushing, ...built.commits].slice(-MAX_PUSHING) };
    await files.writeState(state);
    const failure = await pushHead(repository, { from: state.head, to: built.head });
    if (failure?.kind === "stale") continue;
    if (failure !== undefined) return failureResult(failure);
    state = afterPush(state, plan, built);
    await files.writeState(state);
    await files.removePending(built.commits.flatMap(({ pending: ids }) => ids));
    sent.push(...changesOf(plan).map(changeOf));
    return await finish(context, state, { received, sent, unsent });
  }
  return { kind: "contended" };
}

/** Exponential, with jitter, so that waiting clones do not retry in lockstep. */
function delayOf(attempt: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random());
}

interface Taken {
  readonly state: TeamState;
  readonly received: readonly TopicChange[];
}

interface TakeInput {
  readonly state: TeamState;
  /** Gets the changes that turn out to be sent already. */
  readonly sent: TopicChange[];
  readonly fetched: FetchResult;
}

/** Takes over what the remote has, unless that is what this clone has. */
async function take(
  { files, repository }: SyncContext,
  { state, sent, fetched }: TakeInput,
): Promise<Taken | { readonly result: SyncResult }> {
  if (fetched.kind === "too-large") {
    const { maxFetchBytes } = repository.limits;
    const message = `the remote sends more than ${maxFetchBytes} bytes`;
    return { result: { kind: "unusable", code: "TOO_LARGE", message } };
  }
  if (fetched.kind === "failed") return { result: failureResult(fetched.failure) };
  const head = fetched.kind === "head" ? fetched.head : undefined;
  if (head === state.head) return { state, received: [] };
  const problem = await findHeadProblem(repository, state, head);
  if (problem !== undefined) return { result: problem };
  const taken = await receive(repository, state, head);
  if (taken.kind === "unusable") return { result: taken };
  const arrived = new Set(taken.sent);
  sent.push(
    ...files
      .listPending()
      .filter(({ id }) => arrived.has(id))
      .map(changeOf),
  );
  await files.writeState(taken.state);
  await files.removePending(taken.sent);
  return taken;
}

async function findHeadProblem(
  repository: Repository,
  { head: before, acceptedRewrite }: TeamState,
  head: string | undefined,
): Promise<SyncResult | undefined> {
  if (head !== undefined && !(await isCommit(repository, head))) {
    const message = "the ref of the team memory is not a commit";
    return { kind: "unusable", code: "NOT_TEAM_MEMORY", message };
  }
  if (before === undefined || acceptedRewrite === (head ?? "none")) return undefined;
  const isNewer = head !== undefined && (await isAncestor(repository, before, head));
  return isNewer ? undefined : { kind: "rewritten", before, after: head };
}

function failureResult({ kind, message }: { kind: string; message: string }): SyncResult {
  if (kind === "damaged") return { kind: "unusable", code: "DAMAGED_OBJECTS", message };
  return { kind: kind === "offline" ? "offline" : "denied", message };
}

async function makePlan(
  { repository }: SyncContext,
  state: TeamState,
  pending: readonly PendingChange[],
): Promise<ChangePlan> {
  const slugs = [...new Set(pending.map(({ slug }) => slug))];
  const usable = slugs.filter((slug) => state.topics.has(slug) && !state.invalid.includes(slug));
  const texts = new Map<string, string>();
  const missing: { readonly slug: string; readonly oid: string }[] = [];
  for (const slug of usable) {
    const used = state.used.get(slug);
    const oid = state.topics.get(slug) ?? "";
    const waiting = state.unapproved.get(slug)?.text;
    if (used?.oid === oid) texts.set(slug, used.text);
    else if (waiting !== undefined) texts.set(slug, waiting);
    else missing.push({ slug, oid });
  }
  const blobs = await readBlobs(
    repository,
    missing.map(({ oid }) => ({ oid, bytes: 1024 * 1024 })),
  );
  for (const { slug, oid } of missing) texts.set(slug, blobs.get(oid)?.toString("utf8") ?? "");
  // A text that cannot be used does not count as a change: the user's text replaces it.
  const replaced = pending.filter(
    ({ slug, base }) => base !== undefined && state.invalid.includes(slug),
  );
  const bases = replaced.toReversed().map(({ slug, base = "" }) => [slug, base] as const);
  return await planChanges({ pending, shared: new Map([...texts, ...bases]), check });
}

/** What waits is what the user shared, too. */
function useOwn(
  state: TeamState,
  pending: readonly PendingChange[],
  { obsolete }: ChangePlan,
): TeamState {
  return pending
    .filter(({ id, slug, text }) => {
      const waiting = state.unapproved.get(slug);
      return obsolete.includes(id) && waiting !== undefined && waiting.text === text;
    })
    .filter(({ slug }) => !state.invalid.includes(slug))
    .reduce((next, { slug }) => useWaiting(next, slug), state);
}

async function check(
  slug: string,
  text: string,
): Promise<Pick<UnsentChange, "code" | "message"> | undefined> {
  const checked = await checkTopicFile({ name: slug, text, findSecrets });
  if (checked.kind === "valid") return undefined;
  const code = checked.code === "SECRET_FOUND" ? "SECRET_FOUND" : "INVALID_TOPIC";
  return { code, message: checked.message };
}

/** The conflict is on disk before the change that it replaces is removed. */
async function keepConflicts({ files }: SyncContext, { conflicts }: ChangePlan): Promise<void> {
  for (const { pending, ...conflict } of conflicts) {
    await files.addConflict(pending[0] ?? "", conflict);
    await files.removePending(pending);
  }
}

function afterPush(state: TeamState, plan: ChangePlan, built: BuiltCommits): TeamState {
  const [used, unapproved] = [new Map(state.used), new Map(state.unapproved)];
  for (const { change, text } of plan.commits.flatMap(({ changes }) => changes)) {
    const { slug, at } = change;
    const waiting = unapproved.get(slug);
    const oid = built.topics.get(slug);
    if (waiting !== undefined && text !== change.text) {
      // The merged text has changes that the user did not approve. Only the user's own text is used.
      unapproved.set(slug, { ...waiting, text });
      if (change.text !== undefined) used.set(slug, ownTopic(change.text, "", at));
      continue;
    }
    unapproved.delete(slug);
    if (text === undefined || oid === undefined) used.delete(slug);
    else used.set(slug, ownTopic(text, oid, at));
  }
  const { head, topics, removed } = built;
  const changed = new Set(
    plan.commits.flatMap(({ changes }) => changes.map(({ change }) => change.slug)),
  );
  return {
    ...state,
    head,
    topics,
    removed,
    used,
    unapproved,
    pushing: [],
    invalid: state.invalid.filter((slug) => !changed.has(slug)),
    refused: state.refused.filter(
      ({ path }) => ![...changed].some((slug) => path === `topics/${slug}.md`),
    ),
  };
}

function ownTopic(text: string, oid: string, at: string): UsedTopic {
  return { oid, text, at, author: { name: "you", email: "", isApproved: true } };
}

function changesOf(plan: ChangePlan): readonly PendingChange[] {
  return plan.commits.flatMap(({ changes }) => changes.map(({ change }) => change));
}

function changeOf(change: PendingChange): TopicChange {
  return { slug: change.slug, action: actionOf(change) };
}

function unsentOf(
  change: PendingChange,
  { code, message }: Pick<UnsentChange, "code" | "message">,
): UnsentChange {
  return { ...changeOf(change), code, message };
}

async function finish(
  { files, repository, now }: SyncContext,
  state: TeamState,
  { received, sent, unsent }: Pick<SyncedResult, "received" | "sent" | "unsent">,
): Promise<SyncedResult> {
  await files.writeSyncTime(now());
  if (state.head !== undefined) await repackIfNeeded(repository, state.head);
  return {
    kind: "synced",
    head: state.head,
    received,
    sent,
    unsent,
    conflicts: files.listConflicts(),
    waiting: waitingChanges(state),
    refused: state.refused,
  };
}
