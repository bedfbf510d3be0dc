import { describe, expect, it } from "vitest";
import { createEmbeddedSearch, type Embed } from "../../../src/search/engine/embedded-search.ts";
import { createSearchIndex } from "../../../src/search/engine/search-index.ts";

/** A model that recognizes two subjects, whatever words a text uses for them. */
function vectorOf(text: string): readonly number[] {
  return [/car|truck|engine/.test(text) ? 1 : 0, /cake|bread|oven/.test(text) ? 1 : 0, 0.1];
}

interface RecordedEmbed {
  readonly embed: Embed;
  readonly calls: (readonly string[])[];
}

function recorded(
  answer: (texts: readonly string[], call: number) => ReturnType<Embed>,
): RecordedEmbed {
  const calls: (readonly string[])[] = [];
  const embed: Embed = (texts) => {
    calls.push(texts);
    return answer(texts, calls.length);
  };
  return { embed, calls };
}

const working = (): RecordedEmbed => recorded(async (texts) => texts.map(vectorOf));
const documents = [
  { id: "vehicle", body: "truck" },
  { id: "bakery", body: "bread" },
  { id: "word", body: "engine room of a ship" },
];

describe("createEmbeddedSearch", () => {
  it("finds documents by meaning and by words, and reports that vectors were used", async () => {
    const search = await createEmbeddedSearch({ embed: working().embed, documents });
    expect(search.embedding).toBe("used");
    const { topics, embedding } = await search.search("car engine");
    expect(embedding).toBe("used");
    expect(topics.map(({ id }) => id)).toEqual(["word", "vehicle", "bakery"]);
    expect(search.index.search("car engine").topics.map(({ id }) => id)).toEqual(["word"]);
  });

  it("embeds documents in batches, name and description first, and the query once", async () => {
    const { embed, calls } = working();
    const search = await createEmbeddedSearch({ embed, batchSize: 2 });
    await search.add([
      { id: "1", name: "car", description: "of mine", body: "red", tags: "left out" },
      { id: "2", body: "cake".repeat(10_000) },
      { id: "3", body: "half\ud800" },
      { id: "empty" },
      { id: "has one", body: "bread", vector: [0, 1, 0] },
    ]);
    await search.search("car", { limit: 1 });
    expect(calls).toEqual([["car\nof mine\nred", "cake".repeat(2_000)], ["half\ufffd"], ["car"]]);
    expect(search.index.size()).toBe(5);
  });

  it("uses an existing index and saves vectors with it", async () => {
    const { embed } = working();
    const { index } = await createEmbeddedSearch({ embed, documents });
    const loaded = createSearchIndex();
    loaded.load(index.save());
    const search = await createEmbeddedSearch({ embed, index: loaded });
    await search.add([{ id: "oven", body: "oven" }]);
    const { topics } = await search.search("cake");
    expect(
      topics
        .map(({ id }) => id)
        .slice(0, 2)
        .toSorted(),
    ).toEqual(["bakery", "oven"]);
  });

  it("respects the options of a search", async () => {
    const search = await createEmbeddedSearch({ embed: working().embed, documents });
    expect((await search.search("car", { limit: 1 })).topics).toHaveLength(1);
    expect((await search.search("car", { type: "other" })).topics).toEqual([]);
  });
});

describe("a failing embedding model", () => {
  const broken: readonly (readonly [
    why: string,
    answer: (texts: readonly string[]) => ReturnType<Embed>,
  ])[] = [
    ["no connection", () => Promise.reject(new Error("no connection"))],
    [
      "thrown",
      () => {
        throw new Error("thrown");
      },
    ],
    ["embed returned 0 vectors for 1 texts", async () => []],
    [
      "embed returned vectors of different dimensions: 3 and 2",
      async (texts) => texts.map(() => [1, 2]),
    ],
    [
      "embed returned a vector with a value that is not a finite number",
      async (texts) => texts.map(() => [1, 2, Number.NaN]),
    ],
  ];

  it.for(broken)(
    "does not affect results by words when the model fails: %s",
    async ([why, answer]) => {
      let isBroken = false;
      const { embed } = recorded((texts) => (isBroken ? answer(texts) : working().embed(texts)));
      const search = await createEmbeddedSearch({ embed, documents });
      isBroken = true;
      const found = await search.search("engine");
      expect(found).toEqual({ ...search.index.search("engine"), embedding: `failed: ${why}` });
      expect(found.topics.map(({ id }) => id)).toEqual(["word"]);
      expect(await search.add([{ id: "new", body: "engine" }])).toEqual({
        embedding: `failed: ${why}`,
      });
      expect(search.index.search("engine").topics).toHaveLength(2);
    },
  );

  it("stops calling a failing model and keeps the vectors it returned before", async () => {
    const { embed, calls } = recorded(async (texts, call) => {
      if (call === 2) throw new Error("too many");
      return texts.map(vectorOf);
    });
    const search = await createEmbeddedSearch({ embed, documents, batchSize: 1 });
    expect([search.embedding, calls.length]).toEqual(["failed: too many", 2]);
    const { topics, embedding } = await search.search("car");
    expect([topics.map(({ id }) => id), embedding]).toEqual([["vehicle"], "used"]);
    expect(search.index.size()).toBe(3);
  });

  it("rejects vectors of different dimensions and empty ones", async () => {
    const uneven = await createEmbeddedSearch({
      embed: async (texts) => texts.map((_, at) => Array.from({ length: at + 1 }, () => 1)),
      documents,
    });
    expect(uneven.embedding).toBe(
      "failed: embed returned vectors of different dimensions: 1 and 2",
    );
    const none = await createEmbeddedSearch({
      embed: async (texts) => texts.map(() => []),
      documents,
    });
    expect(none.embedding).toBe("failed: embed returned an empty vector");
  });

  it.for([0, -1, 0.5])(
    "passes at least one text per call for a batch size of %d",
    async (batchSize) => {
      const { embed, calls } = working();
      const search = await createEmbeddedSearch({ embed, documents, batchSize });
      expect(search.embedding).toBe("used");
      expect(calls.map(({ length }) => length)).toEqual([1, 1, 1]);
    },
  );

  it("embeds no empty texts", async () => {
    const { embed, calls } = working();
    const search = await createEmbeddedSearch({ embed, batchSize: Number.NaN });
    expect(await search.search("  ")).toMatchObject({
      topics: [],
      embedding: "failed: the query is empty",
    });
    expect(calls).toEqual([]);
  });
});
