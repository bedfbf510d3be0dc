import { isRecord } from "@caliban/common";
import type { ChangeOutcome, MemoryPageData, PageScope } from "../data.ts";
import { PAGE_SCOPES } from "../data.ts";
import { answer, fieldsOf, type PageAnswer, type PageRequest, problem } from "./page-request.ts";

type Batch = (request: PageRequest, data: MemoryPageData) => Promise<PageAnswer>;

/** Changes of several things at once, by path. What cannot be changed is named, and does not stop the others. */
export const BATCH_ROUTES: ReadonlyMap<string, Batch> = new Map<string, Batch>([
  ["topics/remove", batch(removeTopic)],
  ["topics/move", batch(async ({ scope, id }, data) => await data.move({ scope, slug: id }))],
  ["changes/undo", batch(async (item, data) => await data.undo(item))],
  [
    "inbox/accept-many",
    batch(async (item, data) => await data.accept({ ...item, isForced: false, edited: undefined })),
  ],
  ["inbox/reject-many", batch(async (item, data) => await data.reject(item))],
]);

/** One thing to change. */
interface BatchItem {
  readonly scope: PageScope;
  /** The name of a topic, or the id of a change or a proposal. */
  readonly id: string;
  /** When it changed last, as far as the user saw. */
  readonly seenMs: number | undefined;
}

/** What became of a batch. */
export interface BatchAnswer {
  readonly kind: "batch";
  /** How many were changed. */
  readonly done: number;
  /** The changes in the history, in order. */
  readonly changes: readonly { readonly scope: PageScope; readonly id: string }[];
  readonly failed: readonly { readonly id: string; readonly message: string }[];
}

/** More than anyone selects by hand; each one is a change of its own in the history. */
const MAX_ITEMS = 1_000;
const TOO_MANY = "more than 1,000 are selected; select fewer";

function batch(
  change: (item: BatchItem, data: MemoryPageData) => Promise<ChangeOutcome>,
): (request: PageRequest, data: MemoryPageData) => Promise<PageAnswer> {
  return async (request, data) => {
    const count = fieldsOf(request).list("items")?.length ?? 0;
    if (count > MAX_ITEMS) return problem(400, TOO_MANY);
    const items = itemsOf(request);
    if (items === undefined) return problem(400, "the request is incomplete; nothing was changed");
    const changes: BatchAnswer["changes"][number][] = [];
    const failed: BatchAnswer["failed"][number][] = [];
    // One at a time: each is a change of the index as well.
    for (const item of items) {
      const outcome = await change(item, data);
      if (outcome.kind !== "done") failed.push({ id: item.id, message: messageOf(outcome) });
      else if (outcome.change !== undefined)
        changes.push({ scope: item.scope, id: outcome.change });
    }
    const done = items.length - failed.length;
    return answer({ kind: "batch", done, changes, failed } satisfies BatchAnswer);
  };
}

/** What the user did not see is not deleted. */
async function removeTopic(
  { scope, id, seenMs }: BatchItem,
  data: MemoryPageData,
): Promise<ChangeOutcome> {
  const stored = await data.topic({ scope, slug: id });
  if (stored === undefined) return { kind: "refused", message: "it no longer exists" };
  if (stored.updatedMs !== seenMs) return { kind: "conflict", current: stored };
  return await data.remove({ scope, slug: id, ifMatch: stored.hash });
}

function messageOf(outcome: Exclude<ChangeOutcome, { readonly kind: "done" }>): string {
  return outcome.kind === "refused" ? outcome.message : "it changed meanwhile";
}

/** `undefined` for a list that has anything else in it. */
function itemsOf(request: PageRequest): readonly BatchItem[] | undefined {
  const given = fieldsOf(request).list("items");
  if (given === undefined || given.length === 0) return undefined;
  const items = given.flatMap((item) => itemOf(item) ?? []);
  return items.length === given.length ? items : undefined;
}

function itemOf(value: unknown): BatchItem | undefined {
  if (!isRecord(value)) return undefined;
  const { id, seenMs } = value;
  const scope = PAGE_SCOPES.find((each) => each === value["scope"]);
  if (scope === undefined || typeof id !== "string" || id === "") return undefined;
  return { scope, id, seenMs: typeof seenMs === "number" ? seenMs : undefined };
}
