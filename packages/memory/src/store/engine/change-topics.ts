import { utf8Bytes } from "@caliban/common";
import { currentIndexLine } from "../../index-file/index-lines.ts";
import { indexWarning } from "../../index-file/index-size.ts";
import { renderIndexLine } from "../../index-file/render-line.ts";
import { MAX_TOPIC_BYTES } from "../../topics/limits.ts";
import { renameLinks } from "../../topics/links.ts";
import { parseTopicHeader } from "../../topics/parse-topic.ts";
import { renameInHeader, setFieldsInHeader } from "../../topics/render-topic.ts";
import { parseNewTopicSlug, parseTopicSlug, slugKey, type TopicSlug } from "../../topics/slug.ts";
import { checkEdit, checkEditTarget, withUpdatedTime } from "../plan-edit.ts";
import { checkWrite, findConflict, parseSlugToWrite, renderWrite } from "../plan-write.ts";
import { assertNoSecrets } from "../secrets.ts";
import { toStoredTopic } from "../stored-topic.ts";
import type {
  EditTopicInput,
  EditTopicResult,
  RemoveTopicInput,
  RemoveTopicResult,
  RenameTopicInput,
  RenameTopicResult,
  StoredTopic,
  WriteTopicInput,
  WriteTopicResult,
} from "../topic-store.ts";
import { commitChange, type TopicChange } from "./commit-change.ts";
import { CONFLICT, type Engine, untilCommitted } from "./engine.ts";
import { findTopic, readAllTopics } from "./read-topics.ts";
import { checkSuperseded, missingWarning } from "./supersedes.ts";

export async function writeTopic(
  engine: Engine,
  request: WriteTopicInput,
): Promise<WriteTopicResult> {
  const name = parseSlugToWrite(request);
  // The scan for secrets takes as long as a round trip, so the topic is requested first and read in the meantime.
  const checking = nextTurn().then(async () => await checkWrite(request, engine.findSecrets));
  // Reported below.
  checking.catch(() => undefined);
  return await untilCommitted(engine, async (): Promise<WriteTopicResult | typeof CONFLICT> => {
    const [checked, { current, index }] = await Promise.all([checking, findTopic(engine, name)]);
    const conflict = findConflict(current, request);
    if (conflict === "missing") return { kind: "missing", slug: checked.slug };
    if (conflict !== undefined) return conflict;
    // The name of a new topic must be valid for one, even if the request was to replace an existing topic.
    const slug = current?.slug ?? parseNewTopicSlug(checked.slug);
    const missing = await checkSuperseded(engine, slug, checked.supersedes);
    const entry = { ...checked, slug };
    const after = renderWrite(entry, request, { current, nowMs: engine.now() });
    const files = [{ slug, current, after }];
    const { author } = request;
    const committed = await commitChange(engine, { action: "write", author, files, index });
    if (committed === CONFLICT) return CONFLICT;
    return {
      kind: "written",
      slug,
      isNew: current === undefined,
      hash: committed.versions.get(slug) ?? "",
      // As it is in the index: a hand-written title is kept.
      indexLine: currentIndexLine(committed.index, slug) ?? renderIndexLine(entry),
      warning: joinWarnings(missingWarning(missing), indexWarning(committed.index)),
      change: committed.change,
    };
  });
}

function joinWarnings(...warnings: readonly (string | undefined)[]): string | undefined {
  const given = warnings.filter((warning) => warning !== undefined);
  return given.length === 0 ? undefined : given.join(". ");
}

/** Lets requests that were just made leave. Not every runtime has turns to wait for. */
async function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as {
    readonly setImmediate?: (callback: () => void) => unknown;
  };
  if (setImmediate !== undefined) await new Promise<void>((resolve) => void setImmediate(resolve));
}

export async function editTopic(engine: Engine, request: EditTopicInput): Promise<EditTopicResult> {
  const nowMs = engine.now();
  const checked = await checkEdit(request, { findSecrets: engine.findSecrets, nowMs });
  return await untilCommitted(engine, async (): Promise<EditTopicResult | typeof CONFLICT> => {
    const { current, index } = await findTopic(engine, checked.slug);
    const result = checkEditTarget(current, checked, request);
    if (result !== undefined) return result;
    const slug = current?.slug ?? checked.slug;
    const after = withUpdatedTime(current, checked, { ...request, nowMs });
    if (request.allowMalformed !== true) {
      await checkSuperseded(engine, slug, newlySuperseded(current, after));
    }
    const isNew = current === undefined;
    const { author, moved, action = isNew ? "write" : "edit" } = request;
    const files = [{ slug, current, after }];
    const committed = await commitChange(engine, { action, author, files, index, moved });
    if (committed === CONFLICT) return CONFLICT;
    const version = committed.versions.get(slug) ?? "";
    return {
      kind: "edited",
      slug,
      isNew,
      topic: toStoredTopic({ slug, version, text: after, modifiedMs: nowMs }),
      warning: indexWarning(committed.index),
      change: committed.change,
    };
  });
}

/** What an edit adds: a file that was circular before can still be edited. */
function newlySuperseded(current: StoredTopic | undefined, after: string): readonly string[] {
  const before = new Set(current?.topic.supersedes);
  return (parseTopicHeader(after).supersedes ?? []).filter((name) => !before.has(name));
}

export async function removeTopic(
  engine: Engine,
  { name, ifMatch, author, moved }: RemoveTopicInput,
): Promise<RemoveTopicResult> {
  const slug = parseTopicSlug(name);
  return await untilCommitted(engine, async (): Promise<RemoveTopicResult | typeof CONFLICT> => {
    const { current: topic, index } = await findTopic(engine, slug);
    if (topic === undefined) return { kind: "missing", slug };
    const conflict = findConflict(topic, ifMatch === undefined ? { replace: true } : { ifMatch });
    if (conflict !== undefined && conflict !== "missing") return conflict;
    const files = [{ slug: topic.slug, current: topic, after: null }];
    const committed = await commitChange(engine, {
      action: "remove",
      author,
      files,
      index,
      moved,
    });
    return committed === CONFLICT ? CONFLICT : { kind: "removed", topic, change: committed.change };
  });
}

export async function renameTopic(
  engine: Engine,
  { from, to, ifMatch, author }: RenameTopicInput,
): Promise<RenameTopicResult> {
  const [oldSlug, newSlug] = [parseTopicSlug(from), parseNewTopicSlug(to)];
  await assertNoSecrets({ "new name": newSlug }, engine.findSecrets);
  return await untilCommitted(engine, async (): Promise<RenameTopicResult | typeof CONFLICT> => {
    const { current: topic, index } = await findTopic(engine, oldSlug);
    if (topic === undefined) return { kind: "missing", slug: oldSlug };
    if (ifMatch !== undefined && ifMatch !== topic.hash) {
      return { kind: "conflict", reason: "changed", current: topic };
    }
    const { current: taken } = await findTopic(engine, newSlug);
    if (taken !== undefined && taken.slug !== topic.slug) {
      return { kind: "conflict", reason: "exists", current: taken };
    }
    if (newSlug === topic.slug) return { kind: "renamed", slug: newSlug, relinked: [] };
    const links = relinkedTopics(await readAllTopics(engine), topic.slug, newSlug);
    const files = [...renamedTopic(topic, newSlug), ...links];
    const committed = await commitChange(engine, { action: "rename", author, files, index });
    if (committed === CONFLICT) return CONFLICT;
    const relinked = links.map(({ slug }) => slug);
    return { kind: "renamed", slug: newSlug, relinked, change: committed.change };
  });
}

function renamedTopic(topic: StoredTopic, newSlug: TopicSlug): readonly TopicChange[] {
  const { slug, text } = topic;
  const renamed = relink(renameInHeader(text, newSlug), slug, newSlug);
  const arrival = { slug: newSlug, current: undefined, after: renamed };
  const departure = { slug, current: topic, after: null };
  // If a file system does not tell the two names apart, the old file must be removed first.
  const isSameFile = slugKey(newSlug) === slugKey(slug);
  return isSameFile ? [departure, arrival] : [arrival, departure];
}

/** The other topics that link to a topic, with their links updated. An unreadable one keeps its dead link. */
function relinkedTopics(
  topics: readonly StoredTopic[],
  from: TopicSlug,
  to: TopicSlug,
): readonly TopicChange[] {
  return topics
    .filter(({ slug }) => slug !== from)
    .map((current) => {
      const after = relink(renameSuperseded(current, from, to), from, to);
      return { slug: current.slug, current, after };
    })
    .filter(({ current, after }) => current.text !== after);
}

/** The text of a topic with the new name of a topic that it supersedes. */
function renameSuperseded({ text, topic }: StoredTopic, from: TopicSlug, to: TopicSlug): string {
  const { supersedes = [] } = topic;
  const isOld = (name: string): boolean => slugKey(name) === slugKey(from);
  if (!supersedes.some(isOld)) return text;
  return setFieldsInHeader(text, {
    supersedes: supersedes.map((name) => (isOld(name) ? to : name)),
  });
}

/** Keeps the old links if the new ones would make the text too long to be read. */
function relink(text: string, from: TopicSlug, to: TopicSlug): string {
  const changed = renameLinks(text, from, to);
  return utf8Bytes(changed) > MAX_TOPIC_BYTES ? text : changed;
}
