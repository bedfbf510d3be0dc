import { expectEqual } from "./expect-equal.ts";
import {
  TOPIC,
  HAND_MADE,
  CLAUDE_CODE,
  LINE,
  writeNew,
  slugs,
  type ContractCases,
} from "./topic-fixtures.ts";

/** Cases about the index. */
export const INDEX_CASES: ContractCases = {
  "keeps hand-written text in the index": async (createStore) => {
    const index =
      "# My index\n\nRead this first!\n\n- a line of mine\n- [old](old.md) my own words\n\n## Later\n\nBye.\n";
    const store = await createStore({ "MEMORY.md": index, "old.md": HAND_MADE });
    await writeNew(store, TOPIC);
    const expected = index.replace("- [old]", () => `${LINE}\n- [old]`);
    expectEqual(await store.index(), expected, "one more line, before the first");
    await store.remove(TOPIC);
    expectEqual(await store.index(), index, "the index without the line");
  },
  "ignores lines in comments and code blocks": async (createStore) => {
    const hidden =
      "<!--\n- [deploy-checklist](deploy-checklist.md) — old\n-->\n\n```\n- [deploy-checklist](deploy-checklist.md)\n```\n";
    const store = await createStore({ "MEMORY.md": hidden });
    await writeNew(store, TOPIC);
    expectEqual(await store.index(), `${hidden}\n${LINE}\n`, "a separate line");
  },
  "adds missing lines and removes dead ones": async (createStore) => {
    const store = await createStore({
      "MEMORY.md":
        "# Memory index\n\n- [gone](gone.md) — project: gone\n- [here](here.md) — project: here\n",
      "here.md": HAND_MADE,
      "orphan.md": CLAUDE_CODE,
    });
    expectEqual(slugs(await store.index()), ["orphan", "here"], "the repaired index");
    await writeNew(store, TOPIC);
    expectEqual(
      slugs(await store.index()),
      [TOPIC.name, "orphan", "here"],
      "the index after a write",
    );
  },
  "rebuilds every line from the topics": async (createStore) => {
    const store = await createStore({
      "MEMORY.md":
        "Mine.\n\n- [here](here.md) — project: stale words\n- [gone](gone.md) — user: gone\n- [Guide](GUIDE.md): mine\n\nAlso mine.\n",
      "here.md": HAND_MADE,
      "orphan.md": CLAUDE_CODE,
    });
    const { added, dropped, isChanged, text } = await store.rebuildIndex();
    expectEqual([added, dropped, isChanged], [["orphan"], ["gone"], true], "the result");
    expectEqual(
      text,
      "Mine.\n\n- [orphan](orphan.md) — user: data scientist, new to React\n- [here](here.md) — project: old words\n- [Guide](GUIDE.md): mine\n\nAlso mine.\n",
      "the index",
    );
    expectEqual((await store.rebuildIndex()).isChanged, false, "rebuilding again changes nothing");
  },
  "warns when the index is four fifths full, and says what to do": async (createStore) => {
    const lines = Array.from({ length: 158 }, (_, at) => `- line ${at}\n`).join("");
    const store = await createStore({ "MEMORY.md": lines });
    const first = await writeNew(store, TOPIC);
    expectEqual(first.warning?.includes("160 of 200 lines"), true, "160 lines, one of them blank");
    expectEqual(first.warning?.includes("down to 140 lines and 17920 bytes"), true, "the target");
    const roomy = await createStore({ "MEMORY.md": lines.slice(0, 1000) });
    expectEqual((await writeNew(roomy, TOPIC)).warning, undefined, "no warning before that");
  },
};
