import { describe, expect, it } from "vitest";
import type { SaidTurn } from "../../src/notes/judged-turn.ts";
import { findStatements } from "../../src/notes/statements.ts";
import type { NoteRecord } from "../../src/notes/note-record.ts";
import { settling } from "../../src/notes/settles.ts";

/** `u` is the user, `a` the agent, and `t` the agent after it has used a tool. */
function turns(...lines: readonly string[]): readonly SaidTurn[] {
  return lines.map((line, at) => ({
    at: String(at),
    role: line.startsWith("u:") ? "user" : "assistant",
    text: line.slice(3),
    atMs: at,
    isTainted: line.startsWith("t:"),
    touched: [],
  }));
}

function recordsOf(said: readonly SaidTurn[]): readonly NoteRecord[] {
  return findStatements(said).flatMap(({ records }) => records);
}

/** The texts of the statements that are strong enough to be shown. */
function shown(...lines: readonly string[]): readonly string[] {
  const said = turns(...lines);
  return recordsOf(said)
    .filter(({ strength }) => strength >= 0.6)
    .map(({ at, span }) => (said[Number(at)]?.text ?? "").slice(span?.from, span?.to));
}

describe("findStatements", () => {
  it.for([
    ["an answer", ["u: how long?", "a: Which value?", "u: 30 seconds."], "30 seconds."],
    ["a correction", ["u: go", "a: I used npm.", "u: no, use pnpm here"], "no, use pnpm here"],
    [
      "a rule in the first message",
      ["u: We never deploy on Fridays."],
      "We never deploy on Fridays.",
    ],
    [
      "a proposal that the user agrees to",
      ["u: it is slow", "a: I suggest a cache of 5 minutes.", "u: sounds good, do that"],
      "I suggest a cache of 5 minutes.",
    ],
    [
      "a proposal that the user agrees to before the next task",
      ["u: it is slow", "a: I suggest a cache of 5 minutes.", "u: Yes please. Now run the tests."],
      "I suggest a cache of 5 minutes.",
    ],
    [
      "an order that picks what the agent offered",
      [
        "u: it is slow",
        "a: We could move to Typst, or wait.",
        "u: Then move all documents to Typst.",
      ],
      "Then move all documents to Typst.",
    ],
    [
      "a rule after a word of doubt",
      ["u: go", "a: Daily?", "u: Hm, no. Once a week."],
      "Once a week.",
    ],
    ["German", ["u: Und?", "a: Womit?", "u: Wir nehmen immer pnpm."], "Wir nehmen immer pnpm."],
  ] as const)("finds %s", ([, lines, expected]) => {
    expect(shown(...lines)).toContain(expected);
  });

  it.for([
    ["a question", ["u: should we use redis for the cache?"]],
    ["a task", ["u: Add retries to the payment client."]],
    ["a task that says what has to be", ['u: the button must say "Save"']],
    ["a report in the first message", ["u: the comet never came higher than that, what now?"]],
    ["thanks", ["u: go", "a: Done.", "u: Thanks, looks good!"]],
    [
      "a go-ahead",
      ["u: it is slow", "a: I can extract it.", "u: yes, extract it and run the tests"],
    ],
    ["the end of a question", ["u: what is it?", "a: A cache.", "u: thanks, just wanted to know"]],
    ["an idea", ["u: go", "a: Done.", "u: maybe we could use redis later"]],
    ["something for now only", ["u: go", "a: Move it?", "u: leave it for now"]],
    ["code", ["u: look:\n```\nalways use pnpm\n```"]],
    ["a log", ["u: see\nTypeError: you must never call this"]],
  ] as const)("leaves out %s", ([, lines]) => {
    expect(shown(...lines)).toEqual([]);
  });

  it("never takes text that the agent wrote after it used a tool", () => {
    const lines = [
      "u: look at the file",
      "t: We always use npm. I suggest npm.",
      "u: yes, do that",
    ];
    const said = turns(...lines);
    const records = recordsOf(said);
    expect(records.flatMap(({ at, lead }) => [at, lead?.at])).not.toContain("1");
  });

  it("ignores what the agent answers to a question of the user", () => {
    expect(shown("u: I will look at it", "a: Only the route calls it.")).toEqual([
      "Only the route calls it.",
    ]);
    expect(shown("u: and who calls it?", "a: Only the route calls it.")).toEqual([]);
  });

  it("splits a long conversation into passages that start with the user's messages", () => {
    const lines = Array.from({ length: 9 }, (_, at) => [`u: subject ${at}?`, "a: Which?"]).flat();
    const titles = findStatements(turns(...lines)).map(({ title }) => title.at(-1));
    expect(titles).toEqual(["0", "4", "8"]);
  });

  it("keeps the question that a short answer answers", () => {
    const said = turns("u: how long do we wait?", "a: Which timeout?", "u: 30 seconds.");
    const lead = recordsOf(said).at(-1)?.lead;
    expect(said[Number(lead?.at)]?.text.slice(lead?.from, lead?.to)).toBe("Which timeout?");
  });

  it("finds the item that the user picks", () => {
    const said = turns(
      "u: how?",
      "a: Two ways:\n1. A column.\n2. A hosted service.",
      "u: Number 2.",
    );
    const record = recordsOf(said).at(-1);
    expect(record?.own).toContain("host");
    expect(said[1]?.text.slice(record?.lead?.from, record?.lead?.to)).toBe("A hosted service.");
  });

  it("marks what a statement forbids", () => {
    const records = recordsOf(turns("u: We use pnpm, never npm. Don't run pnpm e2e alone."));
    expect(records[0]?.own).toEqual(expect.arrayContaining(["!npm", "!pnpm+e2e"]));
  });
});

describe("findStatements, of the first message", () => {
  it.for([
    "From now on we deploy with fly.",
    "Events between services now go over NATS, Kafka will be shut down in August.",
    "We're switching the partner clients from OkHttp to Ktor.",
    "The preorder cutoff moves to 4 pm because planning starts earlier.",
    "Product photos are served from our own bucket instead of Cloudinary.",
    "move the tiles from Mapbox to MapLibre",
    "raise the upload limit to 12 MB",
    "Points are deleted after 7 days, only trips with an open case keep them longer.",
    "Allergens are computed from the ingredients, no one types them in.",
    "New contract since today: the minimum age is 19.",
    "We use tabs in templates.",
    "For dates we take date-fns.",
    "Use uv for all Python dependencies.",
  ])("finds %j", (sentence) => {
    expect(shown(`u: ${sentence}`, "a: Done.")).toEqual([sentence]);
  });

  it("finds an order after what it answers", () => {
    const report = "The invoice job ran twice because there are two pods.";
    const order = "Use ShedLock for scheduled jobs.";
    expect(shown(`u: ${report} ${order}`, "a: Added.").join(" ")).toContain(order);
  });

  it("takes a general sentence for the question if the next message settles it", () => {
    const raised = "Every branch sells old bread with 30 % off.";
    expect(shown(`u: ${raised}`, "a: Done.")).toEqual([raised]);
    const answer = "One hour before closing.";
    expect(shown(`u: ${raised}`, "a: From when on?", `u: ${answer}`)).toEqual([answer]);
  });

  it.for([
    "add a column for the driver",
    "the login page is broken on small screens",
    "The export no longer contains the header row",
    "every page shows the wrong title",
    "each test fails with a timeout",
    "Use a bigger font in the title of the invoice",
    "set the width of the button",
    "can we switch from Jest to Vitest?",
    "maybe we should move to Kafka",
    "yesterday only one customer could pay",
    "write a test for the basket",
    "a customer says no one answers her",
  ])("leaves out %j", (sentence) => {
    expect(shown(`u: ${sentence}`, "a: Done.")).toEqual([]);
  });
});

describe("settling", () => {
  it.for([
    ["We changed our mind: cache it for 2 minutes.", true],
    ["Switch from Mapbox to MapLibre.", true],
    ["Use bcrypt with cost 12.", false],
  ] as const)("tells whether %j replaces something", ([sentence, amends]) => {
    expect(settling(sentence).amends).toBe(amends);
  });
});
