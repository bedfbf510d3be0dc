import { mergeChange } from "../merge/merge-change.ts";
import type { PendingChange, StoredConflict } from "../state/pending-change.ts";
import type { UnsentChange } from "../team/sync-result.ts";

/** What becomes of the changes of this user. */
export interface ChangePlan {
  /** Each is a commit; a topic is at most once in it. */
  readonly commits: readonly PlannedCommit[];
  /** Changes that the team has already. */
  readonly obsolete: readonly string[];
  readonly conflicts: readonly PlannedConflict[];
  readonly unsent: readonly (Pick<UnsentChange, "code" | "message"> & {
    readonly change: PendingChange;
  })[];
}

export interface PlannedCommit {
  readonly changes: readonly PlannedChange[];
}

interface PlannedChange {
  readonly change: PendingChange;
  /** The merged text; `undefined` for a removal. */
  readonly text: string | undefined;
  readonly before: string | undefined;
}

interface PlannedConflict extends Omit<StoredConflict, "id"> {
  /** The changes that the conflict replaces. */
  readonly pending: readonly string[];
}

export interface PlanInput {
  readonly pending: readonly PendingChange[];
  /** What the team has; `undefined` for what it does not have, or cannot use. */
  readonly shared: ReadonlyMap<string, string>;
  /** Why a text cannot be sent; `undefined` if it can. */
  readonly check: (
    slug: string,
    text: string,
  ) => Promise<Pick<UnsentChange, "code" | "message"> | undefined>;
}

/** Merges the changes in their order, each with the result of the one before. */
export async function planChanges({ pending, shared, check }: PlanInput): Promise<ChangePlan> {
  const plans = await Promise.all(
    [...bySlug(pending)].map(([slug, changes]) =>
      planTopic({ changes, theirs: shared.get(slug), check }),
    ),
  );
  const rounds = Math.max(0, ...plans.map(({ rounds: own }) => own.length));
  const commits = Array.from({ length: rounds }, (_value, round) => ({
    changes: plans.flatMap(({ rounds: own }) => own[round] ?? []),
  }));
  return {
    commits,
    obsolete: plans.flatMap(({ obsolete }) => obsolete),
    conflicts: plans.flatMap(({ conflict }) => conflict ?? []),
    unsent: plans.flatMap(({ unsent }) => unsent),
  };
}

interface TopicPlan {
  readonly rounds: readonly PlannedChange[];
  readonly obsolete: readonly string[];
  readonly conflict?: PlannedConflict;
  readonly unsent: ChangePlan["unsent"];
}

interface PlanTopicInput extends Pick<PlanInput, "check"> {
  readonly changes: readonly PendingChange[];
  readonly theirs: string | undefined;
}

async function planTopic({ changes, theirs, check }: PlanTopicInput): Promise<TopicPlan> {
  const rounds: PlannedChange[] = [];
  const obsolete: string[] = [];
  let current = theirs;
  for (const [index, change] of changes.entries()) {
    const left = changes.slice(index);
    const merged = mergeChange({ base: change.base, mine: change.text, theirs: current });
    if (merged.kind === "conflict") {
      return { rounds, obsolete, conflict: conflictOf(left, current), unsent: [] };
    }
    const { text } = merged;
    if (text === current) {
      obsolete.push(change.id);
      continue;
    }
    const problem = text === undefined ? undefined : await check(change.slug, text);
    if (problem !== undefined) {
      // Each text alone may be valid, and the merged one not.
      return text === change.text
        ? { rounds, obsolete, unsent: left.map((later) => ({ ...problem, change: later })) }
        : { rounds, obsolete, conflict: conflictOf(left, current), unsent: [] };
    }
    rounds.push({ change, text, before: current });
    current = text;
  }
  return { rounds, obsolete, unsent: [] };
}

function bySlug(pending: readonly PendingChange[]): ReadonlyMap<string, PendingChange[]> {
  const slugs = new Map<string, PendingChange[]>();
  for (const change of pending) {
    const list = slugs.get(change.slug);
    if (list === undefined) slugs.set(change.slug, [change]);
    else list.push(change);
  }
  return slugs;
}

/** Later changes of the topic belong to the same conflict: only the last text matters. */
function conflictOf(
  changes: readonly PendingChange[],
  theirs: string | undefined,
): PlannedConflict {
  const [first, last] = [changes[0], changes.at(-1)];
  return {
    slug: first?.slug ?? "",
    base: first?.base,
    mine: last?.text,
    theirs,
    at: last?.at ?? "",
    pending: changes.map(({ id }) => id),
  };
}
