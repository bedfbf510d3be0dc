import { estimateTokens } from "@caliban/common";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  ConsolidatedMemory,
  HandEdit,
  PreviousMemory,
} from "../../../src/generation/memory.ts";
import type { ConsolidationTask } from "../../../src/consolidation/consolidation-task.ts";
import { parseConsolidation } from "../../../src/consolidation/parse-consolidation.ts";
import type { Extraction, StoredExtraction } from "../../../src/extraction/extraction.ts";
import { parseExtraction } from "../../../src/extraction/parse-extraction.ts";
import { createRuleModel } from "../../../src/model/rules/rule-model.ts";

import type { TranscriptTurn } from "../../../src/transcript/transcript-turn.ts";

const model = createRuleModel();
const question = {
  role: "default",
  system: "",
  input: "",
  schema: {},
  signal: new AbortController().signal,
} as const;

const textOfExtraction = async (turns: readonly TranscriptTurn[]): Promise<string> => {
  const task = {
    kind: "extract",
    threadId: "s1",
    updatedAt: "2026-11-02T10:00:00.000Z",
    turns,
  } as const;
  return (await model.complete({ ...question, task })).text;
};

const extract = async (turns: readonly TranscriptTurn[]): Promise<Extraction> => {
  const parsed = parseExtraction(await textOfExtraction(turns));
  if (parsed.kind === "problem") throw new Error(parsed.message);
  return parsed.extraction;
};

const consolidate = async (changes: Partial<ConsolidationTask>): Promise<ConsolidatedMemory> => {
  const task: ConsolidationTask = {
    kind: "consolidate",
    today: "2026-11-16",
    previous: undefined,
    added: [],
    removed: [],
    ...changes,
  };
  const parsed = parseConsolidation((await model.complete({ ...question, task })).text);
  if (parsed.kind === "problem") throw new Error(parsed.message);
  return parsed.memory;
};

const user = (text: string): TranscriptTurn => ({ kind: "user", text });
const assistant = (text: string): TranscriptTurn => ({ kind: "assistant", text });
const bash = (command: string): readonly TranscriptTurn[] => [
  { kind: "call", tool: "Bash", text: `command: ${command}` },
  { kind: "result", tool: "Bash", text: "ok" },
];

const stored = (threadId: string, day: number, rawMemory: string): StoredExtraction => ({
  threadId,
  rawMemory,
  rolloutSummary: "",
  rolloutSlug: undefined,
  updatedAtMs: Date.UTC(2026, 10, day),
  isNew: true,
  isRemoved: false,
  watermark: day,
});

const previous = (
  memory: ConsolidatedMemory,
  handEdits: readonly HandEdit[] = [],
): PreviousMemory => ({ ...memory, handEdits });

const edit = (changes: Partial<HandEdit>): HandEdit => ({
  path: "MEMORY.md",
  addedLines: [],
  removedLines: [],
  ...changes,
});

describe("createRuleModel: extraction", () => {
  it("extracts statements, corrections and successful commands", async () => {
    const extraction = await extract([
      user("Add a login page.\nWe use pnpm here. Can you always run the tests?"),
      assistant("I always use npm. Remember that."),
      user("No, use pnpm."),
      ...bash("pnpm test"),
      ...bash("ls"),
    ]);
    expect(extraction).toMatchInlineSnapshot(`
      {
        "rawMemory": "- [preference] We use pnpm here. (session s1, 2026-11-02)
      - [correction] No, use pnpm. (session s1, 2026-11-02)
      - [procedure] \`pnpm test\` (session s1, 2026-11-02)",
        "rolloutSlug": "add-a-login-page-we",
        "rolloutSummary": "The user started with: Add a login page. We use pnpm here. Can you always run the tests?
      Found by rules: 2 statements, 1 command that worked.",
      }
    `);
  });

  it("extracts nothing from a session without any of them", async () => {
    const extraction = await extract([user("Fix it."), assistant("Never!"), ...bash("cat a")]);
    expect(extraction).toEqual({ rolloutSummary: "", rolloutSlug: undefined, rawMemory: "" });
  });

  it("joins a bare no with the next sentence", async () => {
    const { rawMemory } = await extract([assistant("Done."), user("That's wrong. Use the map.")]);
    expect(rawMemory).toBe("- [correction] That's wrong. Use the map. (session s1, 2026-11-02)");
  });

  it("keeps each statement once, at its last occurrence", async () => {
    const { rawMemory } = await extract([
      user("Always use pnpm."),
      user("Never use npm."),
      user("always use pnpm!"),
    ]);
    expect(rawMemory.split("\n")).toEqual([
      "- [preference] Never use npm. (session s1, 2026-11-02)",
      "- [preference] always use pnpm! (session s1, 2026-11-02)",
    ]);
  });

  it("extracts at most twenty lines: the latest statements and some commands", async () => {
    const said = Array.from({ length: 50 }, (_, at) => user(`Always use tool number ${at}.`));
    const ran = Array.from({ length: 9 }, (_, at) => bash(`make target-${at}`)).flat();
    const lines = (await extract([...said, ...ran])).rawMemory.split("\n");
    expect(lines).toHaveLength(20);
    expect(lines.filter((line) => line.startsWith("- [procedure]"))).toHaveLength(5);
    expect(lines[14]).toContain("tool number 49.");
  });

  it("drops lines from which a secret was removed", async () => {
    const { rawMemory } = await extract([user("Always use the key [secret removed: aws].")]);
    expect(rawMemory).toBe("");
  });

  it("never throws, and is deterministic", async () => {
    const text = fc
      .array(
        fc.constantFrom(
          "Always",
          "use",
          "`",
          "```",
          "\n",
          ". ",
          "> ",
          "No, ",
          "\ud800",
          "{{x}}",
          "npm test",
          "?",
        ),
        { maxLength: 8 },
      )
      .map((words) => words.join(" "));
    const turn = fc.record({
      kind: fc.constantFrom("user", "assistant", "call", "result"),
      text,
      tool: fc.constantFrom("Bash", "Read", undefined),
      isError: fc.constantFrom(true, false, undefined),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 6 }), async (turns) => {
        const answer = await textOfExtraction(turns);
        expect(await textOfExtraction(turns)).toBe(answer);
        expect(parseExtraction(answer).kind).toBe("extraction");
        for (const line of (await extract(turns)).rawMemory.split("\n")) {
          expect(line).toMatch(/^$|^- \[\w+\] .+ \(session s1, 2026-11-02\)$/);
        }
      }),
    );
  });

  it.for(["a ", "Always ", "no. ", "(session ", "`", "\n", "- ", '"', "    "])(
    "reads a megabyte of %j in linear time",
    // In quadratic time, this would take hours.
    { timeout: 60_000 },
    async (piece) => {
      const text = piece.repeat(1_000_000 / piece.length);
      const { rawMemory } = await extract([user(text), assistant("")]);
      expect(rawMemory.length).toBeLessThan(10_000);
    },
  );
});

describe("createRuleModel: consolidation", () => {
  const first = stored(
    "s1",
    2,
    "- [preference] Always use pnpm. (session s1, 2026-11-02)\n- [procedure] `pnpm test`",
  );
  const second = stored("s2", 5, "- [preference] always use pnpm!\n- [correction] No, use tabs.");

  it("puts lines into their sections, newest first, with all their evidence", async () => {
    const { memoryMd, memorySummary } = await consolidate({ added: [second, first] });
    expect(memoryMd).toMatchInlineSnapshot(`
      "# Memory

      ## Preferences and rules

      - always use pnpm! (session s2, 2026-11-05; session s1, 2026-11-02)

      ## Corrections

      - No, use tabs. (session s2, 2026-11-05)

      ## Commands that worked

      - \`pnpm test\` (session s1, 2026-11-02)
      "
    `);
    expect(memorySummary).toBe(memoryMd.replace("# Memory\n\n", ""));
  });

  it("produces the same lines in two rounds as in one", async () => {
    const one = await consolidate({ added: [first] });
    const two = await consolidate({ previous: previous(one), added: [second] });
    const lines = (text: string): readonly string[] =>
      text.toLowerCase().replaceAll("!", ".").split("\n").toSorted();
    expect(lines(two.memoryMd)).toEqual(
      lines((await consolidate({ added: [second, first] })).memoryMd),
    );
  });

  it("leaves all other bytes of a document unchanged", async () => {
    const memoryMd =
      "# My memory\n\nA word  \n\n## Preferences and rules\n- mine\n\n```\n- code\n```\n";
    const before = previous({ memoryMd, memorySummary: "Written by a model.\n", skills: [] });
    const after = await consolidate({ previous: before, added: [first] });
    expect(after.memoryMd).toBe(
      "# My memory\n\nA word  \n\n## Preferences and rules\n- Always use pnpm. (session s1, 2026-11-02)\n- mine\n\n```\n- code\n```\n\n## Commands that worked\n\n- `pnpm test` (session s1, 2026-11-02)\n",
    );
    expect(after.memorySummary).toMatch(
      /^Written by a model\.\n\n## Preferences and rules\n\n- mine\n/,
    );
  });

  it("adds new lines to a model's memory, and none that the model has seen", async () => {
    const memoryMd = "# Memory\n\n## Tools\n\n- The package manager is pnpm.\n";
    const before = previous({ memoryMd, memorySummary: "pnpm.\n", skills: [] });
    const seen = { ...first, isNew: false };
    const after = await consolidate({ previous: before, added: [second, seen] });
    expect(after.memoryMd).toContain("No, use tabs. (session s2");
    expect(after.memoryMd).not.toContain("session s1");
    const own = previous(await consolidate({ added: [second] }));
    expect((await consolidate({ previous: own, added: [second, seen] })).memoryMd).toContain(
      "`pnpm test` (session s1",
    );
  });

  it("drops lines that only removed sessions support from both texts", async () => {
    const before = previous(await consolidate({ added: [second, first] }));
    const { memoryMd, memorySummary } = await consolidate({ previous: before, removed: [second] });
    expect(memoryMd).toContain("- always use pnpm! (session s1, 2026-11-02)");
    expect(memoryMd).toContain("`pnpm test`");
    expect(memoryMd + memorySummary).not.toMatch(/tabs|s2/);
  });

  it("drops a model's line that names only removed sessions", async () => {
    const memoryMd =
      '## A\n\n- one (user: "x"; session s1; 2026-11-02)\n- two (session s1, session s9)\n- three\n';
    const before = previous({
      memoryMd,
      memorySummary: "- one (session s1)\n- four\n",
      skills: [],
    });
    const after = await consolidate({ previous: before, removed: [first] });
    expect(after.memoryMd).toBe("## A\n\n- two (session s1, session s9)\n- three\n");
    expect(after.memorySummary).toBe("- four\n");
  });

  it("keeps a summary when nothing is left", async () => {
    const before = previous(await consolidate({ added: [first] }));
    const after = await consolidate({ previous: before, removed: [first] });
    expect(after.memorySummary).toBe("Nothing is remembered of earlier sessions yet.\n");
    const again = await consolidate({ previous: previous(after), added: [second] });
    expect(again.memorySummary).not.toContain("Nothing");
  });

  it("never restores a line that the user removed from either text", async () => {
    const before = await consolidate({ added: [first] });
    const removedLines = ["- Always use pnpm. (session s1, 2026-11-02)"];
    for (const path of ["MEMORY.md", "memory_summary.md"]) {
      const after = await consolidate({
        previous: previous(before, [edit({ path, removedLines })]),
        added: [first, second],
      });
      expect(after.memoryMd + after.memorySummary).not.toMatch(/always use pnpm/i);
      expect(after.memoryMd).toContain("No, use tabs.");
    }
  });

  it("keeps the user's lines verbatim even if their session is removed", async () => {
    const mine = "-  Always use PNPM 11. (session s1, 2026-11-02)";
    const before = await consolidate({ added: [second] });
    const memoryMd = `${before.memoryMd}${mine}\n`;
    const after = await consolidate({
      previous: previous({ ...before, memoryMd }, [edit({ addedLines: [mine] })]),
      removed: [first],
    });
    expect(after.memoryMd).toContain(`${mine}\n`);
  });

  it("keeps a generated line as the user edited it, and does not add the original again", async () => {
    const before = await consolidate({ added: [first] });
    const [ours, mine] = ["- Always use pnpm. (session s1, 2026-11-02)", "- Always use pnpm 11."];
    const memoryMd = before.memoryMd.replace(ours, mine);
    const after = await consolidate({
      previous: previous({ ...before, memoryMd }, [
        edit({ addedLines: [mine], removedLines: [ours] }),
      ]),
      added: [first],
    });
    expect(after.memoryMd).toBe(memoryMd);
    expect(after.memorySummary).toContain(`${mine}\n`);
    expect(after.memorySummary).not.toContain("pnpm. (");
  });

  it("returns playbooks unchanged", async () => {
    const skills = [
      {
        name: "a",
        content: " x\n",
        scripts: [{ path: "b", content: "c\n\n" }],
        templates: [],
        examples: [],
      },
    ];
    const after = await consolidate({
      previous: previous({ memoryMd: "a", memorySummary: "b", skills }),
    });
    expect(after.skills).toEqual(skills);
  });

  it("keeps the newest lines in the summary if there are too many", async () => {
    const added = Array.from({ length: 28 }, (_, at) =>
      stored(`s${28 - at}`, 28 - at, `- [preference] Always ${`word${28 - at} `.repeat(30)}`),
    );
    const { memoryMd, memorySummary } = await consolidate({ added });
    expect(memoryMd).toContain("word1 ");
    expect(memorySummary).toContain("word28 ");
    expect(memorySummary).not.toContain("word1 ");
    expect(estimateTokens(memorySummary)).toBeLessThanOrEqual(1_050);
  });

  it("changes nothing when applied twice", async () => {
    const text = fc.constantFrom(
      "Always a.",
      "always A",
      "never b (session s1)",
      "c (session s2, 2026-11-02)",
      "`npm test`",
      "",
      `long ${"x".repeat(900)}`,
    );
    const kind = fc.constantFrom("[preference] ", "[correction] ", "[procedure] ", "[odd] ", "");
    const raw = fc
      .array(fc.tuple(kind, text), { maxLength: 5 })
      .map((lines) => lines.map((line) => `- ${line.join("")}`).join("\n"));
    const extraction = fc
      .record({ id: fc.constantFrom("s1", "s2", "s3"), day: fc.integer({ min: 1, max: 3 }), raw })
      .map(({ id, day, raw: memory }) => stored(id, day, memory));
    const document = fc.constantFrom(
      "",
      "x",
      "# Memory\n\n## Corrections\n",
      "## Corrections\n- Always a.\n- b (session s1)\n\n## Other\n- Always a.\n",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          added: fc.array(extraction, { maxLength: 3 }),
          removed: fc.array(extraction, { maxLength: 1 }),
          document,
          summary: document,
        }),
        async ({ added, removed, document: memoryMd, summary: memorySummary }) => {
          const gone = new Set(removed.map(({ threadId }) => threadId));
          const task = { added: added.filter(({ threadId }) => !gone.has(threadId)), removed };
          const before = previous({ memoryMd, memorySummary, skills: [] });
          const once = await consolidate({ ...task, previous: before });
          const twice = await consolidate({ ...task, previous: previous(once) });
          expect(twice).toEqual(once);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.for(["(session s1 ", " ", "; session s1, 2026-11-02", "- ", "'"])(
    "merges into a line with a megabyte of %j in linear time",
    // In quadratic time, this would take hours.
    { timeout: 60_000 },
    async (piece) => {
      const memoryMd = `## Corrections\n- a${piece.repeat(1_000_000 / piece.length)}\n`;
      const merged = consolidate({
        previous: previous({ memoryMd, memorySummary: memoryMd, skills: [] }),
        added: [first],
      }).catch(String);
      expect(await merged).toBeDefined();
    },
  );
});

it("costs nothing, is replaced by any model, and has an unlimited window", async () => {
  const task = { kind: "extract", threadId: "a", updatedAt: "2026-11-02", turns: [] } as const;
  const { usage, finishReason } = await model.complete({ ...question, task });
  expect({ usage, finishReason }).toEqual({
    usage: { inputTokens: 0, outputTokens: 0 },
    finishReason: "stop",
  });
  expect(model.extractor).toEqual({ id: "rules/1", replaces: [] });
  expect(model.contextWindow("smol")).toBeGreaterThan(10_000_000);
});
