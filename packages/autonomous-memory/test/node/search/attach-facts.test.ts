import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchTerms } from "../../../../memory/src/search/analyzer/query-terms.ts";
import { attachFacts } from "../../../src/node/search/attach-facts.ts";
import { parseFacts } from "../../../src/node/search/session-facts.ts";

const user = (text: string): { readonly role: "user"; readonly text: string } => ({
  role: "user",
  text,
});
const agent = (text: string): { readonly role: "assistant"; readonly text: string } => ({
  role: "assistant",
  text,
});

describe("attachFacts", () => {
  const turns = [
    user("please fix the build"),
    agent("the build fails because of the linter"),
    user("we deploy to Frankfurt on Fridays"),
    agent("noted: deploy to Frankfurt on Fridays, the build first"),
    agent("the certificate of the mail server ends in March"),
  ];

  it("prefers the user's turn, even when the agent said more of the fact earlier", async () => {
    const spoken = [
      agent("shall we deploy to the cluster in Frankfurt on Fridays"),
      user("yes, deploy to Frankfurt on Fridays"),
      agent("the build is red"),
    ];
    const facts = ["Deploys go to the Frankfurt cluster on Fridays"];
    const { byTurn } = await attachFacts(spoken, facts, searchTerms);
    expect([...byTurn.keys()]).toEqual([1]);
  });

  it("attaches a fact to no turn that contains only a small part of it", async () => {
    const fact = "The build of the invoices runs in a container next to the database";
    expect((await attachFacts(turns, [fact], searchTerms)).others).toEqual([fact]);
  });

  it.for([
    ["to what the user said", "Deploys go to Frankfurt, on Fridays", 2],
    ["to what only the agent said", "The mail server's certificate ends in March", 4],
    ["by rare words before common ones", "build: the linter", 1],
    ["to no turn when none matches", "Invoices are sent by pigeon", undefined],
    ["to no turn without any words", "…", undefined],
  ] as const)("attaches a fact %s", async ([, fact, turn]) => {
    const { byTurn, others } = await attachFacts(turns, [fact], searchTerms);
    expect([[...byTurn.keys()], others]).toEqual(turn === undefined ? [[], [fact]] : [[turn], []]);
  });

  it("keeps every fact exactly once", async () => {
    const text = fc.constantFrom("", "a", "deploy", "deploy build", "the", "linter mail");
    const turn = fc.record({ role: fc.constantFrom("user" as const, "assistant" as const), text });
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { maxLength: 4 }),
        fc.array(text, { maxLength: 4 }),
        async (some, facts) => {
          const { byTurn, others } = await attachFacts(some, facts, searchTerms);
          expect([...[...byTurn.values()].flat(), ...others].toSorted()).toEqual(facts.toSorted());
          for (const at of byTurn.keys()) expect(some[at]).toBeDefined();
        },
      ),
    );
  });

  it("finds the turn with a rare word among many with common words", async () => {
    const many = Array.from({ length: 2000 }, (_, at) =>
      user(`build deploy server test ${at === 1777 ? "Frankfurt" : at}`),
    );
    const facts = ["deploy of the server build and test: Frankfurt", "deploy of the server"];
    const { byTurn } = await attachFacts(many, facts, searchTerms);
    expect([...byTurn]).toEqual([
      [1777, ["deploy of the server build and test: Frankfurt"]],
      [0, ["deploy of the server"]],
    ]);
  });

  it("analyzes each text once and yields to other work, however many turns share a fact's words", async () => {
    const words = "build deploy server test index linter query cache token session".split(" ");
    const many = Array.from({ length: 2_000 }, (_, at) => agent(`${words.join(" ")} ${at}`));
    const facts = Array.from({ length: 200 }, (_, at) => `${words.join(" ")} no${at}`);
    let analyzed = 0;
    let isDone = false;
    let iterations = 0;
    const count = (): void => {
      iterations += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const { byTurn, others } = await attachFacts(many, facts, (text) => {
      analyzed += 1;
      return searchTerms(text);
    });
    isDone = true;
    expect([...byTurn.values()].flat().length + others.length).toBe(facts.length);
    expect(analyzed).toBe(many.length + facts.length);
    expect(iterations).toBeGreaterThanOrEqual(facts.length);
  });
});

describe("parseFacts", () => {
  it("keeps at most 200 facts of each session", () => {
    const many = Array.from({ length: 201 }, (_, at) => `- fact ${at}`).join("\n");
    const facts = parseFacts(
      `## Session a (2026-11-10)\n${many}\n## Session b (2026-11-10)\n- one`,
    );
    expect([facts.get("a")?.at(-1), facts.get("b")]).toEqual(["fact 199", ["one"]]);
  });

  it("removes list markers, kinds and evidence from facts", () => {
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
    expect([...parseFacts(raw)]).toEqual([
      ["a-1", ["Use tabs", "Port 80 (not 81)", "A paragraph."]],
      ["b", []],
      ["c", ["x"]],
    ]);
  });
});
