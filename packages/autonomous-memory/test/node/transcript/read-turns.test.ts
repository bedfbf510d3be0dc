import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { SessionMessage } from "@caliban/sessions";
import { describe, expect, it } from "vitest";
import { contextualShapes } from "../../../../common/test/secrets/contextual-shapes.ts";
import { tokenShapes } from "../../../../common/test/secrets/token-shapes.ts";
import { writtenShapes } from "../../../../common/test/secrets/written-shapes.ts";
import { readTurns, type ReadTurns } from "../../../src/node/transcript/read-turns.ts";
import { redactText } from "../../../src/node/transcript/redact-text.ts";
import { cleanText } from "../../../src/text/clean-text.ts";
import { fitTranscript } from "../../../src/transcript/fit-transcript.ts";

const PART = 6;
const SHAPES = [...tokenShapes(5), ...contextualShapes(5), ...writtenShapes(5)];
const SESSION: readonly SessionMessage[] = [
  { role: "user", text: "Run it.", note: "a note" },
  {
    role: "assistant",
    model: "a/b",
    parts: [
      { type: "reasoning", text: "hmm" },
      { type: "text", text: "I run it." },
      { type: "tool-call", id: "1", name: "Bash", input: { command: "pnpm test" } },
    ],
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  },
  { role: "tool", results: [{ id: "1", name: "Bash", text: "ok", isError: false }] },
];

describe("readTurns", () => {
  it("removes secrets of every shape from every kind of turn", async () => {
    const messages = SHAPES.flatMap(({ text }, at): readonly SessionMessage[] => [
      { role: "user", text },
      {
        role: "assistant",
        model: "a/b",
        parts: [
          { type: "text", text },
          {
            type: "tool-call",
            id: `c${at}`,
            name: "Run",
            input: { script: text, env: { list: [text] } },
          },
        ],
      },
      { role: "tool", results: [{ id: `c${at}`, name: "Run", text, isError: false }] },
    ]);
    const { turns, redactedSecrets } = await read(messages, 4_000_000);
    expect(turns).toHaveLength(SHAPES.length * 4);
    expect(redactedSecrets).toBeGreaterThanOrEqual(SHAPES.length * 4);
    const left = turns.filter(({ text }, at) => {
      const kept = text.replaceAll(/\[secret removed: [^\]]*\]/g, "");
      const { value } = SHAPES[Math.floor(at / 4)] ?? { value: "" };
      return partsOf(cleanText(value)).some((part) => kept.includes(part));
    });
    expect(left).toEqual([]);
    const rendered = fitTranscript(turns, 1_000_000).text;
    expect(await redactText(rendered)).toEqual({ text: rendered, redactedSecrets: 0 });
  });

  it("returns the same hash for the same conversation, whatever else is recorded", async () => {
    const { contentHash } = await read(SESSION);
    const bare = SESSION.map((message): SessionMessage => {
      if (message.role === "user") return { role: "user", text: message.text };
      if (message.role === "tool") return message;
      return { role: "assistant", model: "c/d", parts: message.parts.slice(1), cut: "length" };
    });
    expect((await read(bare)).contentHash).toBe(contentHash);
    expect((await read(SESSION, 8)).contentHash).toBe(contentHash);
    expect(contentHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it.for([
    [{ role: "user", text: "Run it!" }],
    [
      { role: "user", text: "Run it." },
      { role: "user", text: "Run it." },
    ],
    [{ role: "assistant", model: "a/b", parts: [{ type: "text", text: "Run it." }] }],
    [{ role: "tool", results: [{ id: "1", name: "Bash", text: "Run it.", isError: false }] }],
    [{ role: "tool", results: [{ id: "1", name: "Bash", text: "Run it.", isError: true }] }],
    [{ role: "tool", results: [{ id: "1", name: "Read", text: "Run it.", isError: true }] }],
    [
      {
        role: "assistant",
        model: "a/b",
        parts: [{ type: "tool-call", id: "1", name: "Bash", input: "Run it." }],
      },
    ],
    [
      {
        role: "assistant",
        model: "a/b",
        parts: [{ type: "tool-call", id: "1", name: "Bash", input: { a: 1 } }],
      },
    ],
    [],
  ] as const satisfies readonly (readonly SessionMessage[])[])(
    "returns another hash for %j",
    async (messages) => {
      expect((await read(messages)).contentHash).not.toBe(
        (await read([{ role: "user", text: "Run it." }])).contentHash,
      );
    },
  );

  it.for(["a\nuser\nb", "a\n\nuser\nb", "a\nuser 1\nb"])(
    "returns another hash for two messages than for one with the text %j",
    async (text) => {
      const two = await read([
        { role: "user", text: "a" },
        { role: "user", text: "b" },
      ]);
      expect((await read([{ role: "user", text }])).contentHash).not.toBe(two.contentHash);
    },
  );

  it(
    "reads a session that is larger than the heap of the process",
    { timeout: 30_000 },
    async () => {
      const script = fileURLToPath(new URL("read-long-session.process.ts", import.meta.url));
      const { stdout } = await promisify(execFile)(process.execPath, [
        "--conditions=caliban:source",
        "--max-old-space-size=40",
        script,
      ]);
      expect(JSON.parse(stdout)).toEqual({ seenTurns: 20_080 });
    },
  );

  it("stops when it is aborted", async () => {
    const controller = new AbortController();
    let given = 0;
    async function* messages(): AsyncGenerator<SessionMessage> {
      for (;;) {
        given += 1;
        if (given === 3) controller.abort();
        if (given > 100) return;
        yield { role: "user", text: "again" };
      }
    }
    await expect(
      readTurns(messages(), { maxBytes: 1_000, signal: controller.signal }),
    ).rejects.toThrow("aborted");
    expect(given).toBe(3);
  });

  it("reads the start of a result of many megabytes", async () => {
    const text = `key AKIA${"Q7Z".repeat(5)}X ${"one line of output\n".repeat(500_000)}`;
    const { turns } = await read([
      { role: "tool", results: [{ id: "1", name: "Bash", text, isError: false }] },
    ]);
    expect(turns[0]?.text).toMatch(/^key \[secret removed: AWS access key id\] one line/);
  });
});

async function read(messages: readonly SessionMessage[], maxBytes = 128_000): Promise<ReadTurns> {
  async function* each(): AsyncGenerator<SessionMessage> {
    yield* messages;
  }
  return await readTurns(each(), { maxBytes });
}

function partsOf(value: string): readonly string[] {
  return Array.from({ length: value.length - PART + 1 }, (_, start) =>
    value.slice(start, start + PART),
  );
}
