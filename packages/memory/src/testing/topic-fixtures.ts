import { parseIndexLines } from "../index-file/index-lines.ts";
import type {
  StoredTopic,
  TopicStore,
  WriteTopicInput,
  WriteTopicResult,
} from "../store/topic-store.ts";

/** Creates a store with these initial files, by name: `MEMORY.md` and `<slug>.md`. */
export type CreateStore = (files: Readonly<Record<string, string>>) => Promise<TopicStore>;

/** Opens another store on the same data, as another process would. */
export type ReopenStore = (store: TopicStore) => Promise<TopicStore>;

/** Contract cases by name. */
export type ContractCases = Readonly<
  Record<string, (createStore: CreateStore, reopen: ReopenStore) => Promise<void>>
>;

/** A topic to write. */
export const TOPIC: WriteTopicInput = {
  name: "deploy-checklist",
  description: "run migrations before flipping the flag",
  type: "project",
  body: "First the migrations.\n\nThen the flag; see [[feature-flags]].",
  author: { who: "agent", session: "s-1", after: ["Read"] },
};

/** A hand-written topic with comments and unknown keys. */
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

/** A topic in the format of Claude Code. */
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

/** Writes a topic and expects success. */
export async function writeNew(
  store: TopicStore,
  input: WriteTopicInput,
): Promise<WriteTopicResult & { readonly kind: "written" }> {
  const result = await store.write(input);
  if (result.kind === "written") return result;
  throw new Error(`${input.name} was not written: ${result.kind}`);
}

/** Reads an existing topic. */
export async function readExisting(store: TopicStore, name: string): Promise<StoredTopic> {
  const topic = await store.read(name);
  if (topic !== undefined) return topic;
  throw new Error(`no such topic: ${name}`);
}

/** The topics that an index links to, in order. */
export function slugs(index: string): readonly string[] {
  return parseIndexLines(index).map(({ slug }) => slug);
}

/** The result of a write in short. */
export function summary(result: WriteTopicResult): readonly (string | undefined)[] {
  return result.kind === "conflict"
    ? [result.kind, result.reason, result.current.hash]
    : [result.kind];
}
