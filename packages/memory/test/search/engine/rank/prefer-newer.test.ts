import { describe, expect, it } from "vitest";
import type { SearchDocument } from "../../../../src/search/engine/document.ts";
import { createSearchIndex } from "../../../../src/search/engine/search-index.ts";

const DAY_MS = 86_400_000;
const OLD_MS = Date.UTC(2026, 3, 1);
const NEW_MS = OLD_MS + 30 * DAY_MS;
const NOW_MS = NEW_MS + DAY_MS;

/** A conversation that decides something, and a later one that changes it. */
interface Amendment {
  readonly query: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const AMENDMENTS: readonly Amendment[] = [
  {
    query: "which port does the dev server use?",
    before: ["Use port 4310 for the dev server.", "The dev server now listens on port 4310."],
    after: ["4310 is taken. The dev server runs on port 5175 from now on.", "Changed."],
  },
  {
    query: "what timeout should the HTTP client have?",
    before: ["Set the timeout of the HTTP client to 30 seconds.", "The timeout is 30 seconds."],
    after: ["That is too long. Change the timeout of the HTTP client to 8 seconds.", "Done."],
  },
  {
    query: "how many approvals does a pull request need?",
    before: ["A pull request needs two approvals.", "Every pull request needs two approvals."],
    after: ["One approval per pull request is enough from now on.", "It needs one approval now."],
  },
  {
    query: "how often does the worker retry a failed job?",
    before: ["Let the worker retry a failed job three times.", "A failed job retries three times."],
    after: ["Three times was not enough. The worker should retry a failed job seven times.", "OK."],
  },
  {
    query: "which library do we use for database migrations?",
    before: ["For database migrations we use the knex library.", "Database migrations use knex."],
    after: ["The library for database migrations is umzug now, knex is gone.", "Understood."],
  },
  {
    query: "what status code do we return for a validation error?",
    before: ["Return status code 400 for a validation error.", "A validation error returns 400."],
    after: ["Validation errors return status 422 now, fix the handlers.", "They return 422."],
  },
];

const OTHER_SUBJECTS = [
  "The garden needs water in summer.",
  "Lunch is at noon, bring the cake.",
  "The printer on the second floor is broken.",
];

function session(name: string, texts: readonly string[], updatedMs: number | undefined) {
  return texts.map((body, turn): SearchDocument => {
    const time = updatedMs === undefined ? undefined : updatedMs + turn * 1000;
    return { id: `${name}#${turn}`, kind: "turn", session: name, turn, body, updatedMs: time };
  });
}

function indexOf(
  { before, after }: Amendment,
  [beforeMs, afterMs]: readonly (number | undefined)[] = [OLD_MS, NEW_MS],
) {
  return createSearchIndex([
    ...session("before", before, beforeMs),
    ...session("after", after, afterMs),
    ...OTHER_SUBJECTS.flatMap((text, at) => session(`other${at}`, [text], OLD_MS)),
    { id: "before", name: "first", body: before.join("\n"), updatedMs: beforeMs },
    { id: "after", name: "second", body: after.join("\n"), updatedMs: afterMs },
    ...OTHER_SUBJECTS.map((body, at) => ({ id: `other${at}`, body, updatedMs: OLD_MS })),
  ]);
}

function firstOf(index: ReturnType<typeof indexOf>, query: string, nowMs = NOW_MS) {
  const { topics, turns, sessions } = index.search(query, { nowMs });
  return [topics[0]?.id, turns[0]?.session, sessions[0]?.session];
}

describe("time among similar hits", () => {
  it.each(AMENDMENTS)("ranks what amends an older answer first for %j", (amendment) => {
    const [, turn, whole] = firstOf(indexOf(amendment), amendment.query);
    expect([turn, whole]).toEqual(["after", "after"]);
  });

  const [amendment] = AMENDMENTS as readonly [Amendment];

  it("ranks the newer of two similar topics first", () => {
    const index = createSearchIndex([
      { id: "old", body: "We deploy on Tuesday with the ship tool.", updatedMs: OLD_MS },
      { id: "new", body: "We deploy on Friday with the blue ship tool.", updatedMs: NEW_MS },
    ]);
    const ids = (query: string) => index.search(query).topics.map(({ id }) => id);
    expect(ids("ship tool")).toEqual(["new", "old"]);
    expect(ids("which tool did we deploy with before?")).toEqual(["old", "new"]);
  });

  it("ignores time in a question about the past", () => {
    const query = `${amendment.query} I mean before 2026-04-15.`;
    const undated = indexOf(amendment, [undefined, undefined]);
    expect(firstOf(indexOf(amendment), query)).toEqual(firstOf(undated, query));
  });

  it.each([
    ["equal times", [OLD_MS, OLD_MS]],
    ["no times", [undefined, undefined]],
    ["one time", [undefined, NEW_MS]],
    ["times in the future", [NOW_MS + DAY_MS, NOW_MS + 2 * DAY_MS]],
  ])("keeps the order of hits with %s", (_, times) => {
    const expected = firstOf(indexOf(amendment, [undefined, undefined]), amendment.query);
    expect(firstOf(indexOf(amendment, times), amendment.query)).toEqual(expected);
  });

  it("keeps the order of turns that follow one another in a session", () => {
    const texts = ["the kite is red", "a red kite then", "no, the kite is blue now"];
    const dated = createSearchIndex(session("s", texts, OLD_MS)).search("red kite");
    const undated = createSearchIndex(session("s", texts, undefined)).search("red kite");
    expect(dated.turns.map(({ id }) => id)).toEqual(undated.turns.map(({ id }) => id));
  });
});
