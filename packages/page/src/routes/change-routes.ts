import { isRecord } from "@caliban/common";
import { TOPIC_TYPES } from "@caliban/memory";
import type {
  AcceptRequest,
  ChangeOutcome,
  EditedProposal,
  MemoryPageData,
  PageScope,
  TopicAddress,
} from "../data.ts";
import { topicView } from "../view/topic-view.ts";
import { BATCH_ROUTES } from "./batch-routes.ts";
import {
  answer,
  fieldsOf,
  type PageAnswer,
  type PageRequest,
  problem,
  type RequestFields,
} from "./page-request.ts";

type Change = (request: PageRequest, data: MemoryPageData) => Promise<PageAnswer>;

/** What can be changed, by path. */
export const CHANGE_ROUTES: ReadonlyMap<string, Change> = new Map<string, Change>([
  ["topic/save", withTopic(saveTopic)],
  ["topic/rename", withTopic(renameTopic)],
  ["topic/move", withTopic(async (target, _, data) => await data.move(target))],
  ["topic/remove", withTopic(removeTopic)],
  ["generation/undo", undoGeneration],
  ["change/undo", withId(async (target, _, data) => await data.undo(target))],
  ["inbox/accept", withId(acceptProposal)],
  ["inbox/reject", withId(async (target, _, data) => await data.reject(target))],
  ["health/fix", fix],
  ...BATCH_ROUTES,
]);

/** `undefined` for a request that lacks something. */
type ChangeTarget<Name extends string> = (
  target: { readonly scope: PageScope } & Readonly<Record<Name, string>>,
  fields: RequestFields,
  data: MemoryPageData,
) => Promise<ChangeOutcome | undefined>;

function withTopic(change: ChangeTarget<"slug">): Change {
  return async (request, data) => {
    const fields = fieldsOf(request);
    const [scope, slug] = [fields.scope(), fields.text("slug")];
    if (scope === undefined || slug === undefined) return INCOMPLETE;
    return outcomeAnswer(scope, await change({ scope, slug }, fields, data));
  };
}

function withId(change: ChangeTarget<"id">): Change {
  return async (request, data) => {
    const fields = fieldsOf(request);
    const [scope, id] = [fields.scope(), fields.text("id")];
    if (scope === undefined || id === undefined || id === "") return INCOMPLETE;
    return outcomeAnswer(scope, await change({ scope, id }, fields, data));
  };
}

const INCOMPLETE = problem(400, "the request is incomplete; nothing was changed");

async function saveTopic(
  target: TopicAddress,
  fields: RequestFields,
  data: MemoryPageData,
): Promise<ChangeOutcome | undefined> {
  const text = fields.text("text");
  if (text === undefined) return undefined;
  return await data.save({ ...target, text, ifMatch: fields.text("ifMatch") });
}

async function renameTopic(
  target: TopicAddress,
  fields: RequestFields,
  data: MemoryPageData,
): Promise<ChangeOutcome | undefined> {
  const to = fields.text("to");
  return to === undefined ? undefined : await data.rename({ ...target, to });
}

async function removeTopic(
  target: TopicAddress,
  fields: RequestFields,
  data: MemoryPageData,
): Promise<ChangeOutcome | undefined> {
  const ifMatch = fields.text("ifMatch");
  return ifMatch === undefined ? undefined : await data.remove({ ...target, ifMatch });
}

async function acceptProposal(
  target: Pick<AcceptRequest, "scope" | "id">,
  fields: RequestFields,
  data: MemoryPageData,
): Promise<ChangeOutcome | undefined> {
  const record = fields.record("edited");
  const edited = record && parseEdited(record);
  if (record !== undefined && edited === undefined) return undefined;
  return await data.accept({ ...target, isForced: fields.flag("force"), edited });
}

function parseEdited(value: Readonly<Record<string, unknown>>): EditedProposal | undefined {
  const { description, body } = value;
  const type = TOPIC_TYPES.find((each) => each === value["type"]);
  if (typeof description !== "string" || typeof body !== "string" || type === undefined)
    return undefined;
  return { description, type, body };
}

async function undoGeneration(request: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const id = fieldsOf(request).text("id") ?? "";
  if (!/^[1-9]\d{0,8}$/.test(id)) return INCOMPLETE;
  return outcomeAnswer("project", await data.undoGeneration(Number(id)));
}

async function fix(request: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const scope = isRecord(request.body) ? fieldsOf(request).scope() : undefined;
  return scope === undefined ? INCOMPLETE : outcomeAnswer(scope, await data.repair(scope));
}

function outcomeAnswer(scope: PageScope, outcome: ChangeOutcome | undefined): PageAnswer {
  if (outcome === undefined) return INCOMPLETE;
  if (outcome.kind === "done") return answer(outcome);
  if (outcome.kind === "refused") return problem(422, outcome.message);
  const current = outcome.current === undefined ? null : topicView(scope, outcome.current);
  return { status: 409, body: { kind: "conflict", current } };
}
