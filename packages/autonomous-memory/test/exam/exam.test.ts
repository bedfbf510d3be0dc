import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { examQuestions, type QuestionSources } from "../../src/exam/questions.ts";
import { isWorse, takeExam } from "../../src/exam/take-exam.ts";
import type { ExamResult } from "../../src/generation/exam-result.ts";
import type { StoredExtraction } from "../../src/extraction/extraction.ts";
import { extraction } from "../node/generations/new-generation.ts";

const FACTS = [
  "Use `pnpm ship` to deploy the backend",
  "Integration tests need POSTGRES_URL on port 5433",
  "Never edit src/generated/client.ts by hand",
  "Deployments happen on Tuesdays after the standup",
];

function seen(lines: readonly string[], part: Partial<StoredExtraction> = {}): StoredExtraction {
  const rawMemory = lines.map((line) => `- [decision] ${line}`).join("\n");
  return extraction({ rawMemory, isNew: false, ...part });
}

const document = (lines: readonly string[]): string =>
  `# Memory\n\n## Rules\n\n${lines.map((line) => `- ${line} (session a, 2026-11-01)`).join("\n")}\n`;

function exam(
  after: string,
  {
    before = document(FACTS),
    ...sources
  }: Partial<QuestionSources> & { readonly before?: string } = {},
): ExamResult {
  const questions = examQuestions({ extractions: [seen(FACTS)], ...sources });
  return takeExam(questions, { before: [before], after: [after] });
}

describe("the exam of a new memory", () => {
  it.for(FACTS)("notices that a fact was dropped: %s", (dropped) => {
    const result = exam(document(FACTS.filter((fact) => fact !== dropped)));
    expect(isWorse(result)).toBe(true);
    expect(result.lost).toEqual([dropped]);
  });

  it.for([
    ["the same text", document(FACTS)],
    ["another order and other headings", `# M\n\n${FACTS.toReversed().join("\n\n")}\n`],
    [
      "a shorter text in other words",
      `# Memory

Deploy: \`pnpm ship\` (backend), on Tuesday after standup.
Tests: POSTGRES_URL, port 5433, for integration testing.
src/generated/client.ts is generated, so no editing by hand.
`,
    ],
    ["more facts", document([...FACTS, "The default branch is trunk"])],
  ] as const)("passes %s", ([, after]) => {
    expect(exam(after)).toEqual({ asked: 4, foundBefore: 4, foundAfter: 4, lost: [] });
  });

  it("skips what the user removed from the memory, forgot, or removed with its session", () => {
    const [dropped = "", ...kept] = FACTS;
    const after = document(kept);
    expect(isWorse(exam(after, { before: after }))).toBe(false);
    expect(isWorse(exam(after, { isForgotten: ({ text }) => text === dropped }))).toBe(false);
    const extractions = [seen(kept), seen([dropped], { threadId: "b", isRemoved: true })];
    expect(isWorse(exam(after, { extractions }))).toBe(false);
  });

  it.for([
    "Use `make release` to deploy the backend service",
    "We no longer use pnpm ship",
    "Deploy with make release instead of pnpm",
  ])("skips a fact that a newer one replaces: %s", (newer) => {
    const [, ...kept] = FACTS;
    const updated = seen([newer], {
      threadId: "b",
      updatedAtMs: Date.UTC(2026, 10, 9),
      isNew: true,
    });
    const extractions = [seen(FACTS), updated];
    expect(isWorse(exam(document([...kept, newer]), { extractions }))).toBe(false);
  });

  it("asks what topics expect, and takes no part of an answer for all of it", () => {
    const expected = ["Which tool deploys? pnpm ship", "no question mark", "nothing?"];
    const ask = (after: string): boolean =>
      isWorse(exam(after, { extractions: [], expect: expected }));
    expect(ask(document(FACTS))).toBe(false);
    expect(ask(document(["Use pnpm to deploy the backend"]))).toBe(true);
    expect(exam("", { extractions: [], expect: expected }).asked).toBe(1);
  });

  it("asks nothing about facts that no memory has seen yet", () => {
    expect(examQuestions({ extractions: [seen(FACTS, { isNew: true })] })).toEqual([]);
  });

  it("never rejects a memory that contains the old one", () => {
    const line = fc.array(fc.constantFrom("use", "pnpm", "v2", "a.ts", "tests", "ports", "日本"), {
      maxLength: 4,
    });
    const lines = fc.array(
      line.map((words) => words.join(" ")),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(lines, lines, (facts, more) => {
        const before = document(facts);
        const after = `${before}\n## More\n\n${more.map((each) => `- ${each}\n`).join("")}`;
        const questions = examQuestions({ extractions: [seen(facts)] });
        expect(isWorse(takeExam(questions, { before: [before], after: [after] }))).toBe(false);
      }),
    );
  });

  it("limits the questions about very many facts and a very long memory", () => {
    const many = Array.from(
      { length: 3_000 },
      (_, index) => `Service s${index} uses port ${index}`,
    );
    const questions = examQuestions({
      extractions: [seen(many)],
      expect: many.map((each) => `${each}? v1`),
    });
    expect(questions).toHaveLength(300);
    const text = document(many);
    expect(takeExam(questions, { before: [text], after: [text] }).lost).toEqual([]);
  });
});
