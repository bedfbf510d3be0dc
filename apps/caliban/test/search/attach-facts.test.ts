import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attachFacts } from "../../src/search/attach-facts.ts";
import { factsIn } from "../../src/search/session-facts.ts";

const user = (text: string): { readonly role: "user"; readonly text: string } => ({
  role: "user",
  text,
});
const agent = (text: string): { readonly role: "assistant"; readonly text: string } => ({
  role: "assistant",
  text,
});

describe("a fact", () => {
  const turns = [
    user("please fix the build"),
    agent("the build fails because of the linter"),
    user("we deploy to Frankfurt on Fridays"),
    agent("noted: deploy to Frankfurt on Fridays, the build first"),
    agent("the certificate of the mail server ends in March"),
  ];

  it.for([
    ["what a person said", "Deploys go to Frankfurt, on Fridays", 2],
    ["what only the agent said", "The mail server's certificate ends in March", 4],
    ["rare words before common ones", "build: the linter", 1],
    ["nothing that was said", "Invoices are sent by pigeon", undefined],
    ["no words at all", "…", undefined],
  ] as const)("stands by its turn: %s", ([, fact, turn]) => {
    const { byTurn, others } = attachFacts(turns, [fact]);
    expect([[...byTurn.keys()], others]).toEqual(turn === undefined ? [[], [fact]] : [[turn], []]);
  });

  it("is kept once, whatever there is", () => {
    const text = fc.constantFrom("", "a", "deploy", "deploy build", "the", "linter mail");
    const turn = fc.record({ role: fc.constantFrom("user" as const, "assistant" as const), text });
    fc.assert(
      fc.property(
        fc.array(turn, { maxLength: 4 }),
        fc.array(text, { maxLength: 4 }),
        (some, facts) => {
          const { byTurn, others } = attachFacts(some, facts);
          expect([...[...byTurn.values()].flat(), ...others].toSorted()).toEqual(facts.toSorted());
          for (const at of byTurn.keys()) expect(some[at]).toBeDefined();
        },
      ),
    );
  });
});

describe("the facts of sessions", () => {
  it("are read without marks of lists, kinds and evidence", () => {
    const raw = [
      "# What each session left, newest first",
      "",
      "stray",
      "## Session a-1 (2026-11-10)",
      "",
      "- [preference] Use tabs (session a-1, 2026-11-10; session b, 2026-11-09)",
      "2. Port 80 (not 81)",
      "A paragraph.",
      "### Heading",
      "(The rest was left out: it is too long.)",
      "## Session b (unknown)",
      "## Session c (2026-11-10)",
      "* x",
      "(3 older sessions are not shown here.)",
    ].join("\n");
    expect([...factsIn(raw)]).toEqual([
      ["a-1", ["Use tabs", "Port 80 (not 81)", "A paragraph."]],
      ["b", []],
      ["c", ["x"]],
    ]);
  });
});
