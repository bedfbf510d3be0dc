import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.ts";
import { createLiveIndex } from "../../src/search/live-index/live-index.ts";
import {
  withMarks,
  type FoundMemory,
  type MemorySearch,
  type MemorySearchRequest,
} from "../../src/search/results/results.ts";
import { createMemorySearch } from "../../src/search/memory-search.ts";

import {
  type ScriptedSource,
  type ScriptedText,
  scriptedSource,
} from "./live-index/scripted-source.ts";

const names = (length: number): readonly string[] => Array.from({ length }, (_, at) => `t${at}`);

function finderOf(...sources: readonly ScriptedSource[]): MemorySearch {
  return createMemorySearch({ index: createLiveIndex({ sources }), sources });
}

function topicsOf(count: number, text: ScriptedText | string = "apple"): ScriptedSource {
  return scriptedSource("topics", Object.fromEntries(names(count).map((name) => [name, text])));
}

describe("createMemorySearch", () => {
  it("shows the current text of topics with the matching words marked", async () => {
    const memory = finderOf(topicsOf(1, "Where apples are kept."));
    const { topics, sessions, searched, notes } = await memory.search({ query: "apple" });
    expect(topics).toEqual([
      {
        kind: "topic",
        name: "t0",
        address: "memory://topics/t0",
        type: undefined,
        description: "",
        updatedMs: undefined,
        snippet: expect.anything(),
        score: expect.any(Number),
      },
    ]);
    expect(
      withMarks(topics[0]?.snippet ?? { text: "", marks: [] }, { before: "[", after: "]" }),
    ).toBe("Where [apples] are kept.");
    expect({ sessions, searched, notes }).toEqual({
      sessions: [],
      searched: { topics: 1, sessions: 0, turns: 0 },
      notes: [],
    });
  });

  it("marks the description or the name if the text does not match", async () => {
    const source = topicsOf(1, "apple");
    const texts = { text: "Nothing of it here.", description: "How we deploy" };
    const show: typeof source.show = async (id) => {
      const shown = await source.show(id);
      return shown && shown.kind !== "turn" ? { ...shown, ...texts, name: "apple-tree" } : shown;
    };
    const cache = createLiveIndex({ sources: [source] });
    await cache.refresh();
    const memory = createMemorySearch({ index: cache, sources: [{ ...source, show }] });
    const snippetFor = async (query: string): Promise<string | undefined> => {
      const [topic] = (await memory.search({ query })).topics;
      return topic && withMarks(topic.snippet, { before: "[", after: "]" });
    };
    expect(await snippetFor("apple deploy")).toBe("How we [deploy]");
    expect(await snippetFor("apples")).toBe("[apple]-tree");
  });

  it("reports how much was searched", async () => {
    const memory = finderOf(
      topicsOf(2),
      scriptedSource("sessions", { s: { fingerprint: "1", kind: "turn", body: "apple|pear" } }),
    );
    const searched = async (
      request: Omit<MemorySearchRequest, "query">,
    ): Promise<FoundMemory["searched"]> =>
      (await memory.search({ query: "apple", ...request })).searched;
    expect(await searched({})).toEqual({ topics: 2, sessions: 1, turns: 2 });
    expect(await searched({ kind: "topics" })).toEqual({ topics: 2, sessions: 0, turns: 0 });
    expect(await searched({ kind: "sessions" })).toEqual({ topics: 0, sessions: 1, turns: 2 });
    expect(await searched({ type: "user" })).toEqual({ topics: 2, sessions: 0, turns: 0 });
  });

  it("shows the description of a topic without a body", async () => {
    const source = topicsOf(1);
    const show: typeof source.show = async (id) => {
      const shown = await source.show(id);
      if (shown === undefined || shown.kind === "turn") return shown;
      return { ...shown, description: "All about apples.", text: " \n" };
    };
    const sources = [{ ...source, show }];
    const memory = createMemorySearch({ index: createLiveIndex({ sources }), sources });
    const [topic] = (await memory.search({ query: "apple" })).topics;
    expect(withMarks(topic?.snippet ?? { text: "", marks: [] }, { before: "[", after: "]" })).toBe(
      "All about [apples].",
    );
  });

  it("shows at most the requested number of results, eight by default", async () => {
    const memory = finderOf(topicsOf(20));
    expect((await memory.search({ query: "apple", limit: 3 })).topics).toHaveLength(3);
    expect((await memory.search({ query: "apple" })).topics).toHaveLength(8);
  });

  it("skips results that no longer exist and fills up with the next ones", async () => {
    const source = topicsOf(20);
    const memory = finderOf(source);
    await memory.search({ query: "apple" });
    const gone = new Set(["t0", "t1", "t2"]);
    const show: typeof source.show = async (id) =>
      gone.has(id.slice(7, -1)) ? undefined : await source.show(id);
    const sources = [{ ...source, show }];
    const hasty = createMemorySearch({ index: createLiveIndex({ sources }), sources });
    const { topics } = await hasty.search({ query: "apple" });
    expect(topics).toHaveLength(8);
    expect(topics.map(({ name }) => name)).not.toContain("t1");
  });

  it("skips unreadable results but does not hide bugs", async () => {
    const namesWith = async (fault: Error): Promise<readonly string[]> => {
      const source = topicsOf(2);
      const show: typeof source.show = async (id) => {
        if (id === "topics:t0#") throw fault;
        return await source.show(id);
      };
      const sources = [{ ...source, show }];
      const memory = createMemorySearch({ index: createLiveIndex({ sources }), sources });
      return (await memory.search({ query: "apple" })).topics.map(({ name }) => name);
    };
    expect(await namesWith(new MemoryError("REFUSED_FILE", "no"))).toEqual(["t1"]);
    await expect(namesWith(new TypeError("x"))).rejects.toThrow(TypeError);
  });

  it("shows the best part of matching turns and the start of neighboring ones", async () => {
    const long = "word ".repeat(200);
    const said = (turn: number): string =>
      turn === 4 ? `${long} apple ${long}` : `turn ${turn} ${long}`;
    const body = Array.from({ length: 9 }, (_, turn) => said(turn)).join("|");
    const source = scriptedSource("sessions", { s: { fingerprint: "1", kind: "turn", body } });
    const memory = finderOf(source);
    const { sessions } = await memory.search({ query: "apple", limit: 1 });
    expect(sessions).toEqual([
      {
        session: "s",
        agent: "caliban",
        title: "a talk",
        updatedMs: undefined,
        score: expect.any(Number),
        turns: expect.anything(),
      },
    ]);
    const turns = sessions.flatMap((passage) => passage.turns);
    const [before] = turns;
    expect(before).toMatchObject({ isHit: false, role: "user", text: { marks: [] } });
    expect(before?.text.text).toMatch(/^turn \d word .*…$/);
    expect(before?.text.text.length).toBeLessThanOrEqual(201);
    expect(turns.at(-1)?.isHit).toBe(false);
    const best = turns.find(({ text: { marks } }) => marks.length > 0);
    expect(best?.isHit).toBe(true);
    expect(best?.text.text).toContain("apple");
    expect(best?.text.text.length).toBeLessThanOrEqual(300);
  });

  it("marks a turn as a hit only if it contains a search term itself", async () => {
    const source = scriptedSource("sessions", {
      s: { fingerprint: "1", kind: "turn", body: "pear|apple|plum|cherry" },
    });
    const { sessions } = await finderOf(source).search({ query: "apple" });
    const turns = sessions.flatMap((passage) => passage.turns);
    expect(turns.map(({ text, isHit }) => [text.text, isHit])).toEqual([
      ["pear", false],
      ["apple", true],
      ["plum", false],
    ]);
  });

  it("shows no passage whose hits no longer exist", async () => {
    const source = scriptedSource("sessions", {
      s: { fingerprint: "1", kind: "turn", body: "apple|pear" },
    });
    const none: typeof source.show = async () => undefined;
    const first: typeof source.show = async (id) =>
      id.endsWith("-0") ? await source.show(id) : undefined;
    const shown = async (show: typeof none): Promise<readonly number[]> => {
      const sources = [{ ...source, show }];
      const memory = createMemorySearch({ index: createLiveIndex({ sources }), sources });
      const { sessions } = await memory.search({ query: "apple" });
      return sessions.map(({ turns }) => turns.length);
    };
    expect(await shown(none)).toEqual([]);
    expect(await shown(first)).toEqual([1]);
  });

  it("shows no neighbors of turns that no longer exist", async () => {
    const body = ["a", "b", "c", "d", "apple", "f", "g", "h", "i"].join("|");
    const source = scriptedSource("sessions", { s: { fingerprint: "1", kind: "turn", body } });
    const shownOf = async (show: typeof source.show): Promise<readonly boolean[]> => {
      const sources = [{ ...source, show }];
      const memory = createMemorySearch({ index: createLiveIndex({ sources }), sources });
      const { sessions } = await memory.search({ query: "apple", limit: 1 });
      return sessions.flatMap(({ turns }) => turns.map(({ isHit }) => isHit));
    };
    const all = await shownOf(source.show);
    expect([all[0], all.at(-1)]).toEqual([false, false]);
    // Turns in the middle no longer exist; the first and the last one do.
    const [before, after] = [
      Math.floor((9 - all.length) / 2),
      8 - Math.floor((9 - all.length) / 2),
    ];
    const edges = [`-${before}`, `-${after}`];
    const show: typeof source.show = async (id) =>
      edges.some((edge) => id.endsWith(edge)) ? await source.show(id) : undefined;
    expect(await shownOf(show)).toEqual([]);
  });

  it("searches only the requested kinds", async () => {
    const sessions = scriptedSource("sessions", {
      s: { fingerprint: "1", kind: "turn", body: "apple" },
    });
    const memory = finderOf(topicsOf(1), sessions);
    const amounts = async (kind: "topics" | "sessions" | "all"): Promise<readonly number[]> => {
      const found = await memory.search({ query: "apple", kind });
      return [found.topics.length, found.sessions.length];
    };
    expect(await amounts("topics")).toEqual([1, 0]);
    expect(await amounts("sessions")).toEqual([0, 1]);
    expect(await amounts("all")).toEqual([1, 1]);
  });
});

describe("notes of a search", () => {
  it.for([
    ["", "The query has no word to search for."],
    ["?!", "The query has no word to search for."],
    ["\0", "The query has no word to search for."],
    [
      "what is it",
      "The query has only very common words; they were searched for in names, descriptions and tags only.",
    ],
    ["apple ".repeat(200_000), "The query is too long; only its start was searched for."],
  ] as const)(
    "explains how a query with too few or too many words was treated (%#)",
    async ([query, note]) => {
      expect((await finderOf(topicsOf(1)).search({ query })).notes).toEqual([note]);
    },
  );

  it("explains that sessions have no type if both were requested", async () => {
    const memory = finderOf(topicsOf(1));
    const request = { query: "apple", type: "project" } as const;
    expect((await memory.search(request)).notes).toEqual([]);
    expect((await memory.search({ ...request, kind: "sessions" })).notes).toEqual([
      "Sessions have no type; leave out type to find them.",
    ]);
  });

  it("reports files that were left out", async () => {
    const problem = "t0.md is not valid UTF-8.";
    const memory = finderOf(topicsOf(1, { fingerprint: "1", body: "", problem }));
    expect((await memory.search({ query: "apple" })).notes).toEqual([problem]);
  });
});
