import type { MemoryUse, StoredTopic, TopicSummary } from "@caliban/memory";
import { diagnoseTopics } from "@caliban/memory/node";
import type { KnownTopic, MemoryPageData, PageScope } from "@caliban/page";
import type { Invocation } from "../../command.ts";
import { openTopics, recordExternalChanges } from "../memory/topics/open-topics.ts";
import { readUses } from "../memory/uses.ts";
import { inScope } from "./scoped-invocation.ts";

type Reads = Pick<MemoryPageData, "topics" | "topic" | "changes">;

/** Reads topics and their history. */
export function createTopicReads(invocation: Invocation): Reads {
  const headers = { project: createHeaders(), user: createHeaders() };
  return {
    topics: async (scope) => {
      const topics = await openTopics(inScope(invocation, scope));
      const list = await topics.store.list();
      const fields = await headers[scope](list.topics, topics.store.readMany);
      const hasEvidence = [...fields.values()].some((header) => header.hasEvidence);
      const findings = hasEvidence ? await diagnoseTopics(topics) : [];
      const changed = new Set(
        findings.flatMap(({ code, path }) => (code === "EVIDENCE" ? [path] : [])),
      );
      const { counts } = await readUses(topics.project);
      const useOf = (slug: string): MemoryUse | undefined =>
        counts?.memories[`memory://${scope === "user" ? "user/" : ""}topics/${slug}`];
      return list.topics.map(({ slug, description, type, updatedMs, bytes }): KnownTopic => {
        const header = fields.get(slug);
        const isChanged = changed.has(`${slug}.md`);
        const evidence = header?.hasEvidence === true ? (isChanged ? "changed" : "ok") : "none";
        const { origin } = header ?? {};
        return { slug, description, type, updatedMs, bytes, origin, evidence, use: useOf(slug) };
      });
    },
    topic: async ({ scope, slug }) => {
      const { store } = await openTopics(inScope(invocation, scope));
      return await store.read(slug);
    },
    changes: async (scope: PageScope) => {
      const scoped = inScope(invocation, scope);
      const topics = await openTopics(scoped);
      await recordExternalChanges(scoped, topics);
      return await topics.store.log();
    },
  };
}

interface Header {
  readonly version: string;
  readonly origin: KnownTopic["origin"];
  readonly hasEvidence: boolean;
}

type ReadMany = (slugs: readonly string[]) => Promise<ReadonlyMap<string, StoredTopic>>;

/** Reads what a list leaves out, of the topics that changed since the last time. */
function createHeaders(): (
  topics: readonly TopicSummary[],
  readMany: ReadMany,
) => Promise<ReadonlyMap<string, Header>> {
  let known: ReadonlyMap<string, Header> = new Map();
  return async (topics, readMany) => {
    const versions = new Map(
      topics.map(({ slug, updatedMs, bytes }) => [slug as string, `${updatedMs}:${bytes}`]),
    );
    const kept = [...known].filter(([slug, { version }]) => versions.get(slug) === version);
    const next = new Map(kept);
    const missing = [...versions.keys()].filter((slug) => !next.has(slug));
    const read = missing.length === 0 ? new Map<string, StoredTopic>() : await readMany(missing);
    for (const [slug, { topic }] of read) {
      const hasEvidence = (topic.evidence ?? []).length > 0;
      next.set(slug, { version: versions.get(slug) ?? "", origin: topic.origin, hasEvidence });
    }
    known = next;
    return next;
  };
}
