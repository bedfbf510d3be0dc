import { expectEqual } from "../expect-equal.ts";
import {
  committed,
  create,
  historyIds,
  outcome,
  readAll,
  readOne,
  recordOf,
  type BackendCases,
} from "./backend-fixtures.ts";

/** Cases about commits and versions. */
export const COMMIT_CASES: BackendCases = {
  "creates, replaces and removes with the current version": async (createBackend) => {
    const { backend } = await createBackend();
    const created = await create(backend, { deploy: "1" });
    expectEqual(
      (await readOne(backend, "deploy"))?.version,
      created.get("deploy"),
      "a commit reports another version than read",
    );
    const replaced = await committed(backend, {
      changes: [{ name: "deploy", expected: created.get("deploy") ?? "", text: "2" }],
    });
    const entry = await readOne(backend, "deploy");
    expectEqual(
      [entry?.text, entry?.version],
      ["2", replaced.get("deploy")],
      "an acknowledged replacement cannot be read",
    );
    const removed = await committed(backend, {
      changes: [{ name: "deploy", expected: entry?.version ?? "", text: null }],
    });
    expectEqual(await backend.read(["deploy"]), [], "a removed entry can still be read");
    expectEqual([...removed.keys()], [], "a removed entry has a new version");
    expectEqual(await readAll(backend), {}, "a removed entry is still listed");
  },
  "refuses changes of a version that is not current": async (createBackend) => {
    const { backend } = await createBackend();
    const first = (await create(backend, { deploy: "1" })).get("deploy") ?? "";
    await committed(backend, { changes: [{ name: "deploy", expected: first, text: "2" }] });
    const wrong = {
      "a stale version": { name: "deploy", expected: first, text: "3" },
      "an unknown version": { name: "deploy", expected: "no such version", text: "3" },
      "an empty version": { name: "deploy", expected: "", text: "3" },
      "no version, although the entry exists": { name: "deploy", expected: null, text: "3" },
      "a stale version to remove": { name: "deploy", expected: first, text: null },
      "a version of a missing entry": { name: "missing", expected: first, text: "3" },
      "a version of a missing entry to remove": { name: "missing", expected: first, text: null },
    };
    for (const [kind, change] of Object.entries(wrong)) {
      const result = await backend.commit({ changes: [change], record: recordOf("refused") });
      expectEqual(outcome(result), [change.name], `a commit with ${kind} was not refused`);
      expectEqual(await readAll(backend), { deploy: "2" }, `a refused commit changed an entry`);
    }
    expectEqual(await historyIds(backend), [], "a refused commit is in the history");
  },
  "carries out all changes or none": async (createBackend) => {
    const { backend } = await createBackend();
    const versions = await create(backend, { a: "1", b: "2", c: "3" });
    const expected = (name: string): string => versions.get(name) ?? "";
    const changes = [
      { name: "a", expected: expected("a"), text: "changed" },
      { name: "b", expected: expected("b"), text: null },
      { name: "new", expected: null, text: "created" },
    ];
    for (const position of [0, 1, 2, 3]) {
      const stale = { name: "c", expected: expected("a"), text: "changed" };
      const mixed = changes.toSpliced(position, 0, stale);
      const result = await backend.commit({ changes: mixed, record: recordOf("refused") });
      expectEqual(
        await readAll(backend),
        { a: "1", b: "2", c: "3" },
        "half of a commit was carried out: commits are torn",
      );
      expectEqual(
        outcome(result),
        ["c"],
        "a conflict does not name exactly the entries whose version is not current",
      );
    }
    expectEqual(await historyIds(backend), [], "a refused commit is in the history");
    await committed(backend, { changes });
    expectEqual(
      await readAll(backend),
      { a: "changed", c: "3", new: "created" },
      "a commit carried out only some of its changes",
    );
  },
  "names every entry of a conflict": async (createBackend) => {
    const { backend } = await createBackend();
    const versions = await create(backend, { a: "1", b: "2" });
    const result = await backend.commit({
      changes: [
        { name: "a", expected: null, text: "x" },
        { name: "b", expected: versions.get("b") ?? "", text: "x" },
        { name: "missing", expected: "1", text: "x" },
      ],
    });
    expectEqual(outcome(result), ["a", "missing"], "a conflict does not name its entries");
  },
  "never uses a version again": async (createBackend) => {
    const { backend } = await createBackend();
    const seen: string[] = [];
    let expected: string | null = null;
    // The same text comes back, in place and after a removal: versions that follow from it would come back, too.
    for (const text of ["one", "two", "one", null, "one", null, "one", "two"]) {
      const versions = await committed(backend, { changes: [{ name: "deploy", expected, text }] });
      expected = text === null ? null : (versions.get("deploy") ?? "");
      if (expected !== null) seen.push(expected);
    }
    expectEqual(
      new Set(seen).size,
      seen.length,
      `a version was used again, so a stale writer can overwrite a change: ${seen.join(", ")}`,
    );
  },
  "keeps the version of entries that a commit does not change": async (createBackend) => {
    const { backend } = await createBackend();
    const versions = await create(backend, { a: "1", b: "2" });
    await committed(backend, {
      changes: [{ name: "a", expected: versions.get("a") ?? "", text: "3" }],
    });
    expectEqual(
      (await readOne(backend, "b"))?.version,
      versions.get("b"),
      "a commit changed the version of another entry",
    );
  },
};
