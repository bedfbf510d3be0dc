import { expectEqual } from "../expect-equal.ts";
import type { Change } from "../../history/change.ts";
import type { TopicBackend } from "../../store/topic-backend.ts";
import { parseTopicSlug } from "../../topics/slug.ts";
import {
  allHistory,
  committed,
  create,
  historyIds,
  outcome,
  recordOf,
  type BackendCases,
} from "./backend-fixtures.ts";

/** Cases about the history. */
export const HISTORY_CASES: BackendCases = {
  "records a committed change exactly as given": async (createBackend) => {
    const { backend } = await createBackend();
    const record = recordOf("r-1", {
      session: "s-1",
      of: "r-0",
      index: { before: null, after: "# Index\r\n" },
      files: [
        {
          slug: parseTopicSlug("größe"),
          before: "a\r\n\"'\\ 😀",
          after: null,
          from: { agent: "claude", path: "/x", sha256: "00" },
        },
      ],
    });
    await committed(backend, { changes: [{ name: "a", expected: null, text: "1" }], record });
    const [found] = await allHistory(backend);
    expectEqual(sorted(found), sorted(record), "a record is not kept exactly");
  },
  "records nothing for a commit without a record": async (createBackend) => {
    const { backend } = await createBackend();
    await create(backend, { "MEMORY.md": "# Index\n" });
    expectEqual(await historyIds(backend), [], "a commit without a record is in the history");
  },
  "returns the history newest first, in pages": async (createBackend) => {
    const { backend } = await createBackend();
    const ids = await recordMany(backend, 7);
    for (const limit of [1, 2, 3, 7, 8]) {
      const found = (await allHistory(backend, limit)).map(({ id }) => id);
      expectEqual(
        found,
        ids.toReversed(),
        found.length < ids.length
          ? "a committed change is missing in the history"
          : `pages of ${limit} repeat or reorder the history, which is newest first`,
      );
    }
  },
  "continues a page of the history while changes are added": async (createBackend) => {
    const { backend } = await createBackend();
    const ids = await recordMany(backend, 6);
    const first = await backend.history({ limit: 2 });
    await committed(backend, { changes: [], record: recordOf("later") });
    const rest: Change[] = [];
    for (let cursor = first.next; cursor !== undefined && rest.length < 100;) {
      const page = await backend.history({ cursor, limit: 2 });
      rest.push(...page.changes);
      cursor = page.next;
    }
    const found = [...first.changes, ...rest].map(({ id }) => id);
    expectEqual(found, ids.toReversed(), "pages lose or repeat changes while others are added");
  },
  "replaces rewritten records for good": async (createBackend) => {
    const { backend } = await createBackend();
    const [at, otherAt] = ["2026-11-18T08:00:01.000Z", "2026-11-18T08:00:02.000Z"];
    await committed(backend, { changes: [], record: recordOf("r-0") });
    await committed(backend, { changes: [], record: recordOf("r-1", { at, files: SECRET_FILES }) });
    // Ids are short, so they can occur twice.
    await committed(backend, { changes: [], record: recordOf("r-1", { at: otherAt }) });
    const rewritten = [recordOf("r-1", { at, files: ERASED_FILES, isErased: true })];
    const stale = { changes: [{ name: "missing", expected: "1", text: "x" }], rewritten };
    expectEqual(
      outcome(await backend.commit(stale)),
      ["missing"],
      "a stale commit was carried out",
    );
    const before = await allHistory(backend);
    expectEqual(before[1]?.isErased, undefined, "a refused commit rewrote a record");
    await committed(backend, { changes: [], record: recordOf("r-2"), rewritten });
    const after = await allHistory(backend, 1);
    expectEqual(
      after.map(({ id, isErased }) => [id, isErased === true]),
      [
        ["r-2", false],
        ["r-1", false],
        ["r-1", true],
        ["r-0", false],
      ],
      "rewritten does not replace exactly the records with the same id and time",
    );
    if (JSON.stringify(after).includes("hunter2")) {
      throw new Error("the text of a rewritten record is still in the history");
    }
  },
};

const SECRET_FILES = [{ slug: parseTopicSlug("deploy"), before: null, after: "hunter2" }];
const ERASED_FILES = [{ slug: parseTopicSlug("deploy"), before: null, after: null }];

/** Records changes one after the other; returns their ids, oldest first. */
async function recordMany(backend: TopicBackend, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, number) => `r-${number}`);
  for (const id of ids) {
    const changes = [{ name: id, expected: null, text: id }];
    await committed(backend, { changes, record: recordOf(id) });
  }
  return ids;
}

/** The same for all orders of keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
