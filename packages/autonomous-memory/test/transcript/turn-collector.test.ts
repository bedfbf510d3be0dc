import type { SessionMessage, SessionPart } from "@caliban/sessions";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CollectedTranscript,
  createTurnCollector,
  type TurnCollectorInput,
} from "../../src/transcript/turn-collector.ts";

const OMITTED = "(memory or instructions were read or written here; their text is left out)";

describe("createTurnCollector", () => {
  it("keeps messages, calls and results, but no reasoning, notes, usage or metadata", async () => {
    const { turns } = await collect([
      { role: "user", text: "Run it.\r\n", note: "the date is …" },
      said(
        { type: "reasoning", text: "hmm" },
        { type: "text", text: "\n\nI run it.", metadata: { x: { y: 1 } } },
        call("1", "Bash", { command: "pnpm test\n  --run", timeout: 5 }),
      ),
      result("1", "Bash", "\u001B[32mok\u001B[0m\n\n"),
      said({ type: "text", text: "  \n" }),
      { role: "user", text: "" },
    ]);
    expect(turns).toEqual([
      { kind: "user", text: "Run it." },
      { kind: "assistant", text: "I run it." },
      { kind: "call", tool: "Bash", text: "command: pnpm test --run timeout: 5" },
      { kind: "result", tool: "Bash", isError: false, text: "ok" },
    ]);
  });

  it("keeps both ends of a long result, and the start of a long call", async () => {
    const { turns } = await collect([
      said(call("1", "Write", { path: "a.txt", content: "some words ".repeat(5_000) })),
      result("1", "Write", `first ${"a line\n".repeat(100_000)} last`),
    ]);
    const [line, shown] = turns.map(({ text }) => text);
    expect(line).toMatch(/^path: a\.txt content: some words .*…$/);
    expect(line?.length).toBeLessThanOrEqual(300);
    expect(shown).toMatch(/^first a line\n[^]*\n\[… 69\d{4} characters omitted …\]\n[^]* last$/);
    expect(shown?.length).toBeLessThan(2_050);
  });

  it.for([
    call("7", "ReadMemoryTopic", { name: "builds" }),
    call("7", "Skill", { skill: "release" }),
    call("7", "Read", { file_path: "/w/CLAUDE.md" }),
    call("7", "shell", { command: ["cat", "AGENTS.md"] }),
  ])("omits the memory returned for %j", async (part) => {
    const { turns } = await collect([
      said(part),
      result("7", part.name, "use pnpm"),
      said(call("7", "Bash", { command: "ls" })),
      result("7", "Bash", "a.ts"),
    ]);
    expect(turns.map(({ kind, text }) => [kind, text])).toEqual([
      ["call", expect.not.stringContaining("use pnpm")],
      ["result", OMITTED],
      ["call", "command: ls"],
      ["result", "a.ts"],
    ]);
  });

  it("keeps the result of a later call that reuses the id of a memory call", async () => {
    const { turns } = await collect([
      said(call("7", "Skill", { skill: "release" })),
      said(call("7", "Bash", { command: "ls" })),
      result("7", "Bash", "a.ts"),
      said(call("8", "Skill", { skill: "release" })),
      result("8", "Skill", "do this"),
      result("8", "Bash", "b.ts"),
    ]);
    const results = turns.filter(({ kind }) => kind === "result");
    expect(results.map(({ text }) => text)).toEqual(["a.ts", OMITTED, "b.ts"]);
  });

  it("omits what is written to memory", async () => {
    const { turns } = await collect([
      said(
        call("1", "WriteMemoryTopic", { name: "builds", body: "use pnpm" }),
        call("2", "Edit", { path: "CLAUDE.md", new_string: "use pnpm" }),
      ),
    ]);
    expect(turns.map(({ text }) => text)).toEqual(["name: builds", "path: CLAUDE.md"]);
  });

  it("omits the result of a memory tool even without its call", async () => {
    const { turns } = await collect([result("9", "MemorySearch", "use pnpm")]);
    expect(turns.map(({ text }) => text)).toEqual([OMITTED]);
  });

  it("omits memory blocks inside any text", async () => {
    const block = "<project-rule path='x'>use pnpm</project-rule>";
    const { turns } = await collect([
      { role: "user", text: `a ${block} b` },
      said(
        { type: "text", text: `c ${block} d` },
        call("1", "Bash", { command: `echo ${block} e` }),
      ),
      result("1", "Bash", `f ${block} g`),
      { role: "user", text: block },
    ]);
    expect(turns.map(({ text }) => text)).toEqual(["a  b", "c  d", "command: echo e", "f  g"]);
  });

  it("redacts a secret that is only recognizable on one line", async () => {
    const findSecrets: TurnCollectorInput["findSecrets"] = async (text) => {
      const at = text.indexOf("pin 1234");
      return at === -1 ? [] : [{ kind: "pin", start: at + 4, end: at + 8 }];
    };
    const { turns, redactedSecrets } = await collect(
      [said(call("1", "Bash", { command: "pin\n1234 x" }))],
      { findSecrets },
    );
    expect(turns.map(({ text }) => text)).toEqual(["command: pin [secret removed: pin] x"]);
    expect(redactedSecrets).toBe(1);
  });

  it("redacts a password that is only recognizable on one line, whatever white space precedes it", async () => {
    const findSecrets: TurnCollectorInput["findSecrets"] = async (text) =>
      [...text.matchAll(/pin (\d{8})/g)].map(({ index }) => ({
        kind: "pin",
        start: index + 4,
        end: index + 12,
      }));
    for (let spaces = 560; spaces < 620; spaces++) {
      const command = `${" ".repeat(spaces)}pin\n12345678 ${"and more ".repeat(3_000)}`;
      const { turns } = await collect([said(call("1", "Bash", { command }))], { findSecrets });
      expect(turns[0]?.text).not.toMatch(/\d/);
    }
  });

  it("keeps a bounded part of a session of any length, and counts the missing turns", async () => {
    const { turns, omittedTurns } = await collect(
      [...exchanges(3_000), { role: "user", text: "bye" }],
      { maxBytes: 20_000 },
    );
    expect(turns.length + omittedTurns).toBe(9_001);
    const before = turns.reduce((sum, turn) => sum + (turn.omittedBefore ?? 0), 0);
    expect(before).toBe(omittedTurns);
    expect(turns[0]?.text).toBe("ask 0");
    expect(turns.at(-1)?.text).toBe("bye");
    expect(turns.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(40_000);
  });

  it("scans little more than fits into a transcript", async () => {
    let scanned = 0;
    const findSecrets: TurnCollectorInput["findSecrets"] = async (text) => {
      scanned += text.length;
      return [];
    };
    const { turns } = await collect(exchanges(60), { maxBytes: 20_000, findSecrets });
    expect(scanned).toBeLessThan(32_000);
    expect(turns.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThan(20_000);
  });

  it("collects the same turns whatever the size of the scanned batches", async () => {
    const texts = fc.array(fc.constantFrom("a", "b\nc", "", "### user", "🙂"), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(texts, async (drawn) => {
        const apart = await collect(drawn.map((text) => said({ type: "text", text })));
        const together = await collect([
          said(...drawn.map((text) => ({ type: "text", text }) as const)),
        ]);
        expect(apart).toEqual(together);
      }),
    );
  });
});

async function collect(
  messages: readonly SessionMessage[],
  input: Partial<TurnCollectorInput> = {},
): Promise<CollectedTranscript> {
  const collector = createTurnCollector({
    findSecrets: async () => [],
    onContent: () => undefined,
    maxBytes: 128_000,
    ...input,
  });
  for (const message of messages) await collector.add(message);
  return await collector.finish();
}

function exchanges(count: number): readonly SessionMessage[] {
  return Array.from({ length: count }, (_, at): readonly SessionMessage[] => [
    { role: "user", text: `ask ${at}` },
    said(call("1", "Bash", { command: "ls" })),
    result("1", "Bash", `${at} ${"word ".repeat(200)}`),
  ]).flat();
}

function said(...parts: readonly SessionPart[]): SessionMessage {
  return { role: "assistant", model: "a/b", parts };
}

function call(
  id: string,
  name: string,
  input: unknown,
): SessionPart & { readonly type: "tool-call" } {
  return { type: "tool-call", id, name, input };
}

function result(id: string, name: string, text: string): SessionMessage {
  return { role: "tool", results: [{ id, name, text, isError: false }] };
}
