import { expectEqual } from "../expect-equal.ts";
import {
  committed,
  create,
  listAll,
  readAll,
  readMany,
  readOne,
  type BackendCases,
} from "./backend-fixtures.ts";

/** Cases about listing and reading. */
export const LIST_CASES: BackendCases = {
  "starts empty": async (createBackend) => {
    const { backend } = await createBackend();
    expectEqual(
      await backend.list({ limit: 10 }),
      { entries: [], hasMore: false },
      "a new backend lists an entry",
    );
    expectEqual(await backend.read(["deploy"]), [], "a new backend has an entry");
    expectEqual((await backend.history({ limit: 10 })).changes, [], "a new backend has a history");
  },
  "lists names in the order of their code points": async (createBackend) => {
    const { backend } = await createBackend();
    await create(backend, Object.fromEntries(SHUFFLED.map((name) => [name, `text of ${name}`])));
    const names = (await listAll(backend)).map(({ name }) => name);
    expectEqual(names, ORDERED, "the list is not in the order of code points");
    const again = (await listAll(backend)).map(({ name }) => name);
    expectEqual(again, names, "the order of the list changes from call to call");
  },
  "lists every entry exactly once in pages of any length": async (createBackend) => {
    const { backend } = await createBackend();
    await create(backend, Object.fromEntries(SHUFFLED.map((name) => [name, name])));
    for (const limit of [1, 2, 3, ORDERED.length - 1, ORDERED.length, ORDERED.length + 1]) {
      const names = (await listAll(backend, limit)).map(({ name }) => name);
      expectEqual(names, ORDERED, `pages of ${limit} lose, repeat or reorder entries`);
    }
    const exact = await backend.list({ limit: ORDERED.length });
    expectEqual(exact.hasMore, false, "the last page says that there are more");
  },
  "continues a list after an entry that no longer exists": async (createBackend) => {
    const { backend } = await createBackend();
    const versions = await create(backend, { a: "1", b: "2", c: "3", d: "4" });
    await committed(backend, {
      changes: [{ name: "b", expected: versions.get("b") ?? "", text: null }],
    });
    const page = await backend.list({ after: "b", limit: 1 });
    expectEqual(
      [page.entries.map(({ name }) => name), page.hasMore],
      [["c"], true],
      "a page after a removed entry does not start with the next one",
    );
    const gap = await backend.list({ after: "bb", limit: 10 });
    expectEqual(
      gap.entries.map(({ name }) => name),
      ["c", "d"],
      "a page after a name that never existed does not start with the next one",
    );
  },
  "lists version, head, size and time of each entry": async (createBackend) => {
    const { backend } = await createBackend();
    const text = `größe 😀\n${"x".repeat(5000)}`;
    const versions = await create(backend, { deploy: text, small: "s" });
    const [deploy, small] = await listAll(backend);
    expectEqual(deploy?.version, versions.get("deploy"), "the list has another version");
    expectEqual(deploy?.bytes, 5013, "the size in the list is not that of the text as UTF-8");
    expectEqual(
      [text.startsWith(deploy?.head ?? "?"), small?.head.length !== undefined],
      [true, true],
      "the head in the list is not the start of the text",
    );
    const entry = await readOne(backend, "deploy");
    expectEqual(
      [deploy?.modifiedMs, Number.isFinite(entry?.modifiedMs)],
      [entry?.modifiedMs, true],
      "list and read report different times",
    );
  },
  "reads many entries at once and leaves out missing ones": async (createBackend) => {
    const { backend } = await createBackend();
    const versions = await create(backend, { a: "1", b: "2", c: "3" });
    const entries = await readMany(backend, ["c", "missing", "a"]);
    const found = entries
      .map(({ name, text, version }) => ({ name, text, version }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    expectEqual(
      found,
      [
        { name: "a", text: "1", version: versions.get("a") },
        { name: "c", text: "3", version: versions.get("c") },
      ],
      "read does not return exactly the requested entries that exist",
    );
    expectEqual(await backend.read([]), [], "reading no names returns entries");
  },
  "keeps the index next to the topics": async (createBackend) => {
    const { backend } = await createBackend();
    await create(backend, { "MEMORY.md": "# Index\n", memory: "a topic" });
    expectEqual(
      await readAll(backend),
      { "MEMORY.md": "# Index\n", memory: "a topic" },
      "MEMORY.md is not an entry like any other",
    );
  },
};

// By UTF-16 unit, the astral names would come before those from U+E000 on.
const ORDERED = ["MEMORY.md", "a", "a-b", "b", "größe", "日本語", "ｚ", "𝒳", "😀"];
const SHUFFLED = ["😀", "b", "ｚ", "a-b", "日本語", "MEMORY.md", "𝒳", "a", "größe"];
