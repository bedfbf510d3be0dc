import { linkedSlugs, type MemoryUse, type StoredTopic, type TopicList } from "@caliban/memory";
import type { KnownTopic, MemoryPageData, PageScope, TopicLinks } from "@caliban/page";
import {
  openTopics,
  type OpenTopics,
  recordExternalChanges,
} from "../memory/topics/open-topics.ts";
import { readUses } from "../memory/uses.ts";
import type { PageContext } from "./page-context.ts";
import { inScope } from "./scoped-invocation.ts";

type Reads = Pick<MemoryPageData, "topics" | "topic" | "details" | "links" | "changes">;

/** How long a list waits for the search for evidence that moved. Until it ends, such evidence is `changed` or `gone`. */
const MAX_SEARCH_MS = 20;

/** Reads topics and their history. */
export function createTopicReads(context: PageContext): Reads {
  const { invocation } = context;
  const linksOf = createLinks();
  const check = ({ project }: OpenTopics): ReturnType<PageContext["evidence"]> =>
    context.evidence(project.workspace.root);
  return {
    topics: async (scope) => {
      const topics = await context.topics(scope);
      const { list, found } = await readAll(topics);
      const useOf = await usesOf(topics, scope);
      const known = list.topics.map(async (summary): Promise<KnownTopic> => {
        const { slug, description, type, updatedMs, bytes } = summary;
        const { origin, evidence = [] } = found.get(slug)?.topic ?? {};
        const state =
          evidence.length === 0 || scope === "user"
            ? "none"
            : await check(topics).stateOf(evidence, MAX_SEARCH_MS);
        const use = useOf(slug);
        return { slug, description, type, updatedMs, bytes, origin, evidence: state, use };
      });
      return await Promise.all(known);
    },
    // Not from what is known: an edit starts from it.
    topic: async ({ scope, slug }) => {
      const { store } = await openTopics(inScope(invocation, scope));
      return await store.read(slug);
    },
    details: async ({ scope, slug }) => {
      const topics = await context.topics(scope);
      const useOf = await usesOf(topics, scope);
      const { evidence = [] } = (await topics.store.read(slug))?.topic ?? {};
      const isChecked = evidence.length > 0 && scope !== "user";
      const checked = isChecked ? await check(topics).check(evidence) : [];
      const states = checked.map(({ evidence: { path }, state }) => ({ path, state }));
      return { use: useOf(slug), evidence: states };
    },
    links: async (scope) => {
      const { found } = await readAll(await context.topics(scope));
      return new Map([...found].map(([slug, topic]) => [slug, linksOf(topic)]));
    },
    changes: async (scope) => {
      const topics = await context.topics(scope);
      await recordExternalChanges(inScope(invocation, scope), topics);
      return await topics.store.log();
    },
  };
}

/** The list of topics, and each with its text. */
async function readAll({ store }: OpenTopics): Promise<{
  readonly list: TopicList;
  readonly found: ReadonlyMap<string, StoredTopic>;
}> {
  const list = await store.list();
  const found = await store.readMany(list.topics.map(({ slug }) => slug));
  return { list, found };
}

async function usesOf(
  { project }: OpenTopics,
  scope: PageScope,
): Promise<(slug: string) => MemoryUse | undefined> {
  const { counts } = await readUses(project);
  const base = `memory://${scope === "user" ? "user/" : ""}topics/`;
  return (slug) => counts?.memories[`${base}${slug}`];
}

/** Finds the links of each text once. */
function createLinks(): (topic: StoredTopic) => TopicLinks {
  const known = new WeakMap<StoredTopic, TopicLinks>();
  return (stored) => {
    const found = known.get(stored);
    if (found !== undefined) return found;
    const { body, supersedes = [] } = stored.topic;
    const links = { links: linkedSlugs(body), supersedes };
    known.set(stored, links);
    return links;
  };
}
