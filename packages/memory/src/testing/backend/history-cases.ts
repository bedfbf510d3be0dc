import type { Change } from "../../history/change.ts";
import type { TopicBackend } from "../../store/topic-backend.ts";
import { parseTopicSlug } from "../../topics/slug.ts";
import { expectEqual } from "../expect-equal.ts";
import {
  allHistory,
  committed,
  committedRequest,
  create,
  historyIds,
  outcome,
  readOne,
  requestOf,
  type BackendCases,
} from "./backend-fixtures.ts";

/** Cases about the history. */
export const HISTORY_CASES: BackendCases = {
  "records a committed change exactly as given": async (createBackend) => {
    const { backend } = await createBackend();
    const [text, index] = ["a\r\n\"'\\ 😀 {NULL}", "# Index\r\n"];
    const record: Change = {
      id: "r-1",
      at: "2026-11-18T08:00:00.123Z",
      who: "person",
      session: "s-1",
      action: "import",
      of: "r-0",
      files: [
        {
          slug: parseTopicSlug("größe"),
          before: null,
          after: text,
          from: { agent: "claude", path: "/x", sha256: "00" },
        },
      ],
      index: { before: null, after: index },
    };
    const changes = [
      { name: "größe", expected: null, text },
      { name: "MEMORY.md", expected: null, text: index },
    ];
    await committedRequest(backend, { changes, record });
    const [found] = await allHistory(backend);
    expectEqual(sorted(found), sorted(record), "a record is not kept exactly");
  },
  "records nothing for a change of the index alone": async (createBackend) => {
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
    await create(backend, { later: "later" });
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
    await replace(backend, "first", { id: "r-0" });
    await replace(backend, "hunter2", { id: "r-1", at });
    // Ids are short, so they can occur twice.
    await replace(backend, "third", { id: "r-1", at: otherAt });
    const [third, secret] = await allHistory(backend);
    if (third === undefined || secret === undefined) {
      throw new Error("a committed change is missing in the history");
    }
    // Its text is the `before` of the next one as well.
    const rewritten = [
      { ...secret, files: ERASED_FILES, isErased: true },
      { ...third, files: ERASED_FILES },
    ];

    const stale = await requestOf(backend, [{ name: "missing", expected: "1", text: "x" }]);
    const refused = await backend.commit({ ...stale, rewritten });
    expectEqual(outcome(refused), ["missing"], "a stale commit was carried out");
    const before = await allHistory(backend);
    expectEqual(before[1]?.isErased, undefined, "a refused commit rewrote a record");

    const request = await requestOf(backend, await replacement(backend, "last"), { id: "r-2" });
    await committedRequest(backend, { ...request, rewritten });
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

const ERASED_FILES = [{ slug: parseTopicSlug("deploy"), before: null, after: null }];

/** Records changes one after the other; returns their ids, oldest first. */
async function recordMany(backend: TopicBackend, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, number) => `r-${number}`);
  for (const id of ids) await replace(backend, `text of ${id}`, { id });
  return ids;
}

async function replace(
  backend: TopicBackend,
  text: string,
  fields: Partial<Change>,
): Promise<void> {
  await committed(backend, await replacement(backend, text), fields);
}

async function replacement(
  backend: TopicBackend,
  text: string,
): Promise<Parameters<typeof committed>[1]> {
  const current = await readOne(backend, "deploy");
  return [{ name: "deploy", expected: current?.version ?? null, text }];
}

/** The same for all orders of keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
