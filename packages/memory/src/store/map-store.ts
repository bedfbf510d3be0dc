import { utf8Bytes } from "@caliban/common";
import {
  removeIndexLine,
  renderIndexLine,
  indexWarning,
  newIndex,
  putIndexLine,
  rebuildIndex,
  repairIndex,
} from "../index-file/edit-index.ts";
import { parseIndexLines, currentIndexLine, unlistedSlugs } from "../index-file/index-lines.ts";
import { INDEX_FILE } from "../topics/limits.ts";
import { renameLinks } from "../topics/links.ts";
import { checkEdit, withUpdatedTime, checkEditTarget } from "./plan-edit.ts";
import { checkWrite, findConflict, renderWrite, findSameTopic } from "./plan-write.ts";
import { renameInHeader } from "../topics/render-topic.ts";
import type { MapTopicStoreInput } from "./map-topic-store.ts";
import { parseNewTopicSlug, parseTopicSlug, slugKey, type TopicSlug } from "../topics/slug.ts";
import { assertNoSecrets } from "./secrets.ts";
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
import { sortNewestFirst, toStoredTopic } from "./stored-topic.ts";

/** The store itself, with the parsers that it needs. */
export function openMapStore(input: MapTopicStoreInput): TopicStore {
  const state: State = { ...input, topics: new Map(), index: newIndex() };
  for (const [name, text] of Object.entries(input.files ?? {})) addFile(state, name, text);
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
      const refused = findConflict(current, ifMatch === undefined ? { replace: true } : { ifMatch });
      if (refused !== undefined && refused !== "missing") return refused;
      state.topics.delete(current.slug);
      state.index = removeIndexLine(state.index, current.slug);
      return { kind: "removed", topic: current };
    },
    index: async () => repaired(state),
    rebuildIndex: async () => rebuild(state),
  };
}

interface State extends MapTopicStoreInput {
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
  const checked = await checkWrite(request, state.findSecrets);
  const current = find(state, checked.slug);
  const refused = findConflict(current, request);
  if (refused === "missing") return { kind: "missing", slug: checked.slug };
  if (refused !== undefined) return refused;
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
  const checked = await checkEdit(request, { ...state, nowMs });
  const current = find(state, checked.slug);
  const refused = checkEditTarget(current, checked, request);
  if (refused !== undefined) return refused;
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
    isThere: (slug) => keys.has(slugKey(slug)),
    missing: summaries(state).filter(({ slug }) => unlisted.has(slug)),
  }).text;
}

function rebuild(state: State): RebuiltIndex {
  const before = state.index;
  const rebuilt = rebuildIndex(before, summaries(state));
  state.index = rebuilt.text;
  return { ...rebuilt, isChanged: rebuilt.text !== before };
}
