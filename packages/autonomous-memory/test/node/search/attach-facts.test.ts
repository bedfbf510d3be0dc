import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attachFacts } from "../../../src/node/search/attach-facts.ts";
import { parseFacts } from "../../../src/node/search/session-facts.ts";
import { processorMs } from "../../../../../test/support/processor-time.ts";

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

  it("stands by a person's turn, though the agent said more of it and earlier", async () => {
    const spoken = [
      agent("shall we deploy to the cluster in Frankfurt on Fridays"),
      user("yes, deploy to Frankfurt on Fridays"),
      agent("the build is red"),
    ];
    const { byTurn } = await attachFacts(spoken, [
      "Deploys go to the Frankfurt cluster on Fridays",
    ]);
    expect([...byTurn.keys()]).toEqual([1]);
  });

  it("stands by no turn that holds a small part of it", async () => {
    const fact = "The build of the invoices runs in a container beside the database";
    expect((await attachFacts(turns, [fact])).others).toEqual([fact]);
  });

  it.for([
    ["what a person said", "Deploys go to Frankfurt, on Fridays", 2],
    ["what only the agent said", "The mail server's certificate ends in March", 4],
    ["rare words before common ones", "build: the linter", 1],
    ["nothing that was said", "Invoices are sent by pigeon", undefined],
    ["no words at all", "…", undefined],
  ] as const)("stands by its turn: %s", async ([, fact, turn]) => {
    const { byTurn, others } = await attachFacts(turns, [fact]);
    expect([[...byTurn.keys()], others]).toEqual(turn === undefined ? [[], [fact]] : [[turn], []]);
  });

  it("is kept once, whatever there is", async () => {
    const text = fc.constantFrom("", "a", "deploy", "deploy build", "the", "linter mail");
    const turn = fc.record({ role: fc.constantFrom("user" as const, "assistant" as const), text });
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { maxLength: 4 }),
        fc.array(text, { maxLength: 4 }),
        async (some, facts) => {
          const { byTurn, others } = await attachFacts(some, facts);
          expect([...[...byTurn.values()].flat(), ...others].toSorted()).toEqual(facts.toSorted());
          for (const at of byTurn.keys()) expect(some[at]).toBeDefined();
        },
      ),
    );
  });

  it("stands by the turn with its rare word, among many with its common ones", async () => {
    const many = Array.from({ length: 2000 }, (_, at) =>
      user(`build deploy server test ${at === 1777 ? "Frankfurt" : at}`),
    );
    const { byTurn } = await attachFacts(many, [
      "deploy of the server build and test: Frankfurt",
      "deploy of the server",
    ]);
    expect([...byTurn]).toEqual([
      [1777, ["deploy of the server build and test: Frankfurt"]],
      [0, ["deploy of the server"]],
    ]);
  });

  it("takes little where all turns have its words, and lets others go on meanwhile", async () => {
    const words = "build deploy server test index linter query cache token session".split(" ");
    const many = Array.from({ length: 20_000 }, (_, at) => agent(`${words.join(" ")} ${at}`));
    const facts = Array.from({ length: 200 }, (_, at) => `${words.join(" ")} no${at}`);
    let breaths = 0;
    const timer = setInterval(() => breaths++, 0);
    const timeOf = async (some: readonly string[]): Promise<number> => {
      const startedMs = processorMs();
      const { byTurn, others } = await attachFacts(many, some);
      expect([...byTurn.values()].flat().length + others.length).toBe(some.length);
      return processorMs() - startedMs;
    };
    const [one, all] = [await timeOf(facts.slice(0, 1)), await timeOf(facts)];
    clearInterval(timer);
    expect(all - one).toBeLessThan(1_000);
    expect(breaths).toBeGreaterThan(20);
  });
});

describe("the facts of sessions", () => {
  it("are 200 of each session at most", () => {
    const many = Array.from({ length: 201 }, (_, at) => `- fact ${at}`).join("\n");
    const facts = parseFacts(
      `## Session a (2026-11-10)\n${many}\n## Session b (2026-11-10)\n- one`,
    );
    expect([facts.get("a")?.at(-1), facts.get("b")]).toEqual(["fact 199", ["one"]]);
  });

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
    expect([...parseFacts(raw)]).toEqual([
      ["a-1", ["Use tabs", "Port 80 (not 81)", "A paragraph."]],
      ["b", []],
      ["c", ["x"]],
    ]);
  });
});
