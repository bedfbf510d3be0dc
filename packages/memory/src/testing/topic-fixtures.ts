import { parseIndexLines } from "../index-file/index-lines.ts";
import type {
  StoredTopic,
  TopicStore,
  WriteTopicInput,
  WriteTopicResult,
} from "../store/topic-store.ts";

/** Makes a store that begins with these files, by their names: `MEMORY.md` and `<slug>.md`. */
export type CreateStore = (files: Readonly<Record<string, string>>) => Promise<TopicStore>;

/** Promises by their names, each to be kept by any store. */
export type ContractCases = Readonly<Record<string, (createStore: CreateStore) => Promise<void>>>;

/** A topic to write. */
export const TOPIC: WriteTopicInput = {
  name: "deploy-checklist",
  description: "run migrations before flipping the flag",
  type: "project",
  body: "First the migrations.\n\nThen the flag; see [[feature-flags]].",
  author: { who: "agent", session: "s-1", after: ["Read"] },
};

/** A topic that a person wrote, with things of their own in it. */
export const HAND_MADE: string = `---
# kept since 2024
name: deploy-checklist
description: old words # said by Ann
owner: Ann
metadata:
  reviewed: 2024-05-01
  type: project
---

Old body.
`;

/** A topic as Claude Code writes it. */
export const CLAUDE_CODE: string = `---
name: User role
description: data scientist, new to React
type: user
---

Explain frontend in terms of data frames.
`;

/** The index line of that topic. */
export const LINE: string =
  "- [deploy-checklist](deploy-checklist.md) — project: run migrations before flipping the flag";

/** Writes what must not be refused. */
export async function writeNew(
  store: TopicStore,
  input: WriteTopicInput,
): Promise<WriteTopicResult & { readonly kind: "written" }> {
  const result = await store.write(input);
  if (result.kind === "written") return result;
  throw new Error(`${input.name} was not written: ${result.kind}`);
}

/** Reads what must be there. */
export async function readExisting(store: TopicStore, name: string): Promise<StoredTopic> {
  const topic = await store.read(name);
  if (topic !== undefined) return topic;
  throw new Error(`there is no topic ${name}`);
}

/** The topics that an index leads to, in order. */
export function slugs(index: string): readonly string[] {
  return parseIndexLines(index).map(({ slug }) => slug);
}

/** What a write came to, short. */
export function summary(result: WriteTopicResult): readonly (string | undefined)[] {
  return result.kind === "conflict"
    ? [result.kind, result.reason, result.current.hash]
    : [result.kind];
}
