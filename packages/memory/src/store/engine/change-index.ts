import { rebuildIndex } from "../../index-file/edit-index.ts";
import { markedAfter } from "../../index-file/index-after.ts";
import type { RebuiltIndex } from "../topic-store.ts";
import { commitIndex } from "./commit-change.ts";
import { CONFLICT, type Engine, untilCommitted } from "./engine.ts";
import { normalIndex, readAllTopics, readIndex } from "./read-topics.ts";

/** The index with a line for every topic. Writes nothing. */
export async function currentIndex(engine: Engine): Promise<string> {
  return await engine.repairIndex((await readIndex(engine)).text);
}

export async function rebuild(engine: Engine): Promise<RebuiltIndex> {
  return await untilCommitted(engine, async (): Promise<RebuiltIndex | typeof CONFLICT> => {
    const { topics } = await engine.listTopics();
    const index = await readIndex(engine);
    const lines = rebuildIndex(normalIndex(index.raw), topics);
    const files = (await readAllTopics(engine)).map(({ slug, text }) => ({
      slug,
      before: null,
      after: text,
    }));
    const rebuilt = { ...lines, text: markedAfter(lines.text, files) };
    // An empty store has no index until something is written.
    const isUnused = index.raw === null && topics.length === 0;
    if (isUnused) return { ...rebuilt, isChanged: false };
    // Even if it is the same: a backend of files cleans up after crashed writers with every commit.
    if ((await commitIndex(engine, index, rebuilt.text)) === CONFLICT) return CONFLICT;
    return { ...rebuilt, isChanged: index.raw !== rebuilt.text };
  });
}

/** Replaces the index by what a function returns for it. */
export async function editIndex(
  engine: Engine,
  change: (text: string) => Promise<string>,
): Promise<void> {
  await untilCommitted(engine, async () => {
    const index = await readIndex(engine);
    return await commitIndex(engine, index, await change(index.text));
  });
}
