import { utf8Bytes } from "@caliban/common";
import {
  newIndex,
  putIndexLine,
  rebuildIndex,
  removeIndexLine,
  repairIndex,
} from "../index-file/edit-index.ts";
import { currentIndexLine, parseIndexLines, unlistedSlugs } from "../index-file/index-lines.ts";
import { indexWarning } from "../index-file/index-size.ts";
import { renderIndexLine } from "../index-file/render-line.ts";
import type { Sha256Hex } from "../project/slug.ts";
import { INDEX_FILE } from "../topics/limits.ts";
import { renameLinks } from "../topics/links.ts";
import { renameInHeader } from "../topics/render-topic.ts";
import { parseNewTopicSlug, parseTopicSlug, slugKey, type TopicSlug } from "../topics/slug.ts";
import type { MapTopicStoreInput } from "./map-topic-store.ts";
import { checkEdit, checkEditTarget, withUpdatedTime } from "./plan-edit.ts";
import { checkWrite, findConflict, findSameTopic, renderWrite } from "./plan-write.ts";
import {
  assertNoSecrets,
  assertNoSecretsInAuthor,
  type FindSecrets,
  findSecretsByPattern,
} from "./secrets.ts";
import { sha256Hex as portableSha256Hex } from "./sha256.ts";
import { sortNewestFirst, toStoredTopic } from "./stored-topic.ts";
import type {
  EditTopicInput,
  EditTopicResult,
  RebuiltIndex,
  StoredTopic,
  TopicStore,
  TopicSummary,
  WriteTopicInput,
  WriteTopicResult,
} from "./topic-store.ts";

/** The store behind `createMapTopicStore`, with the parsers it needs. */
export function openMapStore(input: MapTopicStoreInput): TopicStore {
  const {
    sha256Hex = portableSha256Hex,
    // oxlint-disable-next-line no-restricted-properties -- the default of a clock that callers may pass
    now = Date.now,
    findSecrets = findSecretsByPattern,
    files = {},
  } = input;
  const state: State = { sha256Hex, now, findSecrets, topics: new Map(), index: newIndex() };
  for (const [name, text] of Object.entries(files)) addFile(state, name, text);
  return {
    list: async () => ({ topics: summaries(state), problems: [] }),
    read: async (name) => find(state, parseTopicSlug(name)),
    write: async (request) => await write(state, request),
    edit: async (request) => await edit(state, request),
    rename: async ({ from, to }) => {
      const [oldSlug, newSlug] = [parseTopicSlug(from), parseNewTopicSlug(to)];
      await assertNoSecrets({ "new name": newSlug }, state.findSecrets);
      return rename(state, oldSlug, newSlug);
    },
    remove: async ({ name, ifMatch }) => {
      const slug = parseTopicSlug(name);
      const current = find(state, slug);
      if (current === undefined) return { kind: "missing", slug };
      const conflict = findConflict(
        current,
        ifMatch === undefined ? { replace: true } : { ifMatch },
      );
      if (conflict !== undefined && conflict !== "missing") return conflict;
      state.topics.delete(current.slug);
      state.index = removeIndexLine(state.index, current.slug);
      return { kind: "removed", topic: current };
    },
    index: async () => repaired(state),
    rebuildIndex: async () => rebuild(state),
  };
}

interface State {
  readonly sha256Hex: Sha256Hex;
  readonly now: () => number;
  readonly findSecrets: FindSecrets;
  readonly topics: Map<TopicSlug, StoredTopic>;
  index: string;
}

function addFile(state: State, name: string, text: string): void {
  if (name === INDEX_FILE) state.index = text;
  else put(state, parseTopicSlug(name.replace(/\.md$/, "")), text);
}

function put(state: State, slug: TopicSlug, text: string): StoredTopic {
  const stored = toStoredTopic({ slug, text, modifiedMs: state.now() }, state.sha256Hex);
  state.topics.set(slug, stored);
  return stored;
}

function find({ topics }: State, slug: TopicSlug): StoredTopic | undefined {
  const same = findSameTopic(slug, topics.keys());
  return same && topics.get(same);
}

async function write(state: State, request: WriteTopicInput): Promise<WriteTopicResult> {
  await assertNoSecretsInAuthor(request.author, state.findSecrets);
  const checked = await checkWrite(request, state.findSecrets);
  const current = find(state, checked.slug);
  const conflict = findConflict(current, request);
  if (conflict === "missing") return { kind: "missing", slug: checked.slug };
  if (conflict !== undefined) return conflict;
  const slug = current?.slug ?? parseNewTopicSlug(checked.slug);
  const entry = { ...checked, slug };
  const text = renderWrite(entry, request, { current, nowMs: state.now() });
  const stored = put(state, slug, text);
  state.index = putIndexLine(repaired(state), entry);
  return {
    kind: "written",
    slug,
    isNew: current === undefined,
    hash: stored.hash,
    indexLine: currentIndexLine(state.index, slug) ?? renderIndexLine(entry),
    warning: indexWarning(state.index),
  };
}

async function edit(state: State, request: EditTopicInput): Promise<EditTopicResult> {
  const nowMs = state.now();
  await assertNoSecretsInAuthor(request.author, state.findSecrets);
  const checked = await checkEdit(request, { ...state, nowMs });
  const current = find(state, checked.slug);
  const result = checkEditTarget(current, checked, request);
  if (result !== undefined) return result;
  const slug = current?.slug ?? checked.slug;
  const topic = put(state, slug, withUpdatedTime(current, checked, { ...request, nowMs }));
  state.index = putIndexLine(repaired(state), { ...topic.topic, slug });
  const warning = indexWarning(state.index);
  return { kind: "edited", slug, isNew: current === undefined, topic, warning };
}

function rename(
  state: State,
  from: TopicSlug,
  to: TopicSlug,
): Awaited<ReturnType<TopicStore["rename"]>> {
  const current = find(state, from);
  if (current === undefined) return { kind: "missing", slug: from };
  const taken = find(state, to);
  if (taken !== undefined && taken.slug !== current.slug) {
    return { kind: "conflict", reason: "exists", current: taken };
  }
  state.topics.delete(current.slug);
  const relinked: TopicSlug[] = [];
  for (const { slug, text } of Array.from(state.topics.values())) {
    const changed = renameLinks(text, current.slug, to);
    if (changed === text) continue;
    put(state, slug, changed);
    relinked.push(slug);
  }
  const { topic } = put(state, to, renameLinks(renameInHeader(current.text, to), current.slug, to));
  state.index = putIndexLine(state.index, { ...topic, slug: to }, current.slug);
  return { kind: "renamed", slug: to, relinked };
}

function summaries({ topics }: State): readonly TopicSummary[] {
  const all = [...topics.values()].map(({ slug, text, topic, updatedMs }) => {
    const { description, type, problems } = topic;
    return { slug, description, type, problems, updatedMs, bytes: utf8Bytes(text) };
  });
  return sortNewestFirst(all);
}

function repaired(state: State): string {
  const unlisted = new Set(unlistedSlugs([...state.topics.keys()], parseIndexLines(state.index)));
  const keys = new Set([...state.topics.keys()].map(slugKey));
  return repairIndex(state.index, {
    exists: (slug) => keys.has(slugKey(slug)),
    missing: summaries(state).filter(({ slug }) => unlisted.has(slug)),
  }).text;
}

function rebuild(state: State): RebuiltIndex {
  const before = state.index;
  const rebuilt = rebuildIndex(before, summaries(state));
  state.index = rebuilt.text;
  return { ...rebuilt, isChanged: rebuilt.text !== before };
}
