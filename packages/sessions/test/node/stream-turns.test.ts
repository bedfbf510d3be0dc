import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  openSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { readTurnAt, type StreamedTurns, streamTurns } from "../../src/node/stream-turns.ts";
import { readMessages, type TranscriptFormat } from "../../src/readers/transcript-reader.ts";
import { renderRecord, type SessionRecord } from "../../src/record/record.ts";
import type { SessionMessage } from "../../src/record/session-message.ts";
import type { StreamedTurn } from "../../src/readers/spoken-turn.ts";
import {
  parseTranscriptPosition,
  type TranscriptPosition,
} from "../../src/readers/transcript-position.ts";
import { sessions, start } from "../record/arbitrary-records.ts";
import { descriptorsOf } from "./descriptors-of.ts";

const AT = "2026-11-16T17:10:45.000Z";
const MIB = 1024 * 1024;
const STEP = process.env["FULL"] === "1" ? 1 : 41;
const FORMATS: readonly TranscriptFormat[] = ["caliban", "claude", "codex"];

async function fileWith(text: string | Uint8Array): Promise<string> {
  const path = join(await temporaryDirectory(), "a.jsonl");
  writeFileSync(path, text);
  return path;
}

async function all(
  path: string,
  format: TranscriptFormat = "caliban",
  from?: TranscriptPosition,
): Promise<StreamedTurns & { readonly turns: readonly StreamedTurn[] }> {
  const stream = streamTurns({ path, format, from });
  const turns: StreamedTurn[] = [];
  for (;;) {
    const { done, value } = await stream.next();
    if (done === true) return { ...value, turns };
    turns.push(...value);
  }
}

async function textsIn(path: string, format?: TranscriptFormat): Promise<readonly string[]> {
  return (await all(path, format)).turns.map(({ text }) => text);
}

const said = (text: string, id = "m1", at = AT): SessionRecord => ({
  type: "message",
  id,
  at,
  message: { role: "user", text },
});
const line = (text: string): string => renderRecord(said(text));
const answered = (message: SessionMessage): string =>
  renderRecord({ type: "message", id: "m2", at: AT, message });

/** The same conversation as each agent writes it, with a tool result in between. */
const EXAMPLES: Readonly<Record<TranscriptFormat, readonly string[]>> = {
  caliban: [
    renderRecord(start()),
    line("why is it slow"),
    answered({
      role: "assistant",
      model: "a/b",
      parts: [
        { type: "reasoning", text: "thinking" },
        { type: "text", text: "I look." },
        { type: "tool-call", id: "c1", name: "Read", input: { path: "a" } },
      ],
    }),
    answered({
      role: "tool",
      results: [{ id: "c1", name: "Read", text: "output", isError: false }],
    }),
    answered({ role: "assistant", model: "a/b", parts: [{ type: "text", text: "An index." }] }),
  ],
  claude: [
    { type: "user", message: { content: "why is it slow" } },
    {
      type: "assistant",
      message: {
        model: "m",
        content: [
          { type: "text", text: "I look." },
          { type: "tool_use", id: "c1", name: "Read", input: {} },
        ],
      },
    },
    { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "c1" }] } },
    {
      type: "assistant",
      message: { model: "m", content: [{ type: "text", text: "An index." }] },
    },
  ].map((record) => `${JSON.stringify({ ...record, sessionId: "s", timestamp: AT })}\n`),
  codex: [
    { type: "session_meta", payload: { id: "s", cwd: "/app" } },
    item({
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "why is it slow" }],
    }),
    item({
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "I look." }],
    }),
    item({ type: "function_call", call_id: "c1", name: "shell", arguments: "{}" }),
    item({ type: "function_call_output", call_id: "c1", output: "output" }),
    item({
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "An index." }],
    }),
  ].map((record) => `${JSON.stringify({ timestamp: AT, ...record })}\n`),
};

function item(payload: object): { readonly type: string; readonly payload: object } {
  return { type: "response_item", payload };
}

describe("streamTurns", () => {
  it.for(FORMATS)("streamTurns tells which text of %s may repeat a tool", async (format) => {
    const path = await fileWith(EXAMPLES[format].join(""));
    const { turns, position } = await all(path, format);
    expect(turns.map(({ text, isTainted }) => [text, isTainted])).toEqual([
      ["why is it slow", false],
      ["I look.", false],
      ["An index.", true],
    ]);
    expect(position.isTainted).toBe(true);
  });

  it("streamTurns names the files that tools used since the turn before", async () => {
    const call = { type: "tool-call", id: "c1", name: "Edit" } as const;
    const workspace = "/home/user/app";
    const path = await fileWith(
      [
        renderRecord({ ...start(), workspace, cwd: workspace }),
        line("fix it"),
        answered({
          role: "assistant",
          model: "a/b",
          parts: [
            { ...call, input: { file_path: `${workspace}/src/a.ts` } },
            { ...call, id: "c2", input: { path: "./docs/b.md" } },
            { ...call, id: "c3", input: { path: 5 } },
          ],
        }),
        line("thanks"),
      ].join(""),
    );
    const { turns } = await all(path);
    expect(turns.map(({ touched }) => touched)).toEqual([[], ["src/a.ts", "docs/b.md"]]);
  });

  it.for(FORMATS)(
    "streamTurns yields the text, offset and time of each turn of %s",
    async (format) => {
      const lines = EXAMPLES[format];
      const path = await fileWith(lines.join(""));
      const { turns, beganAt, position, facts } = await all(path, format);
      expect(turns.map(({ role, text, at }) => [role, text, at])).toEqual([
        ["user", "why is it slow", AT],
        ["assistant", "I look.", AT],
        ["assistant", "An index.", AT],
      ]);
      expect([beganAt, position.byte]).toEqual([0, Buffer.byteLength(lines.join(""))]);
      expect(facts.skipped).toMatchObject({ damagedLines: 0, unknownRecords: 0, unknownParts: 0 });
      for (const turn of turns)
        expect(turn).toMatchObject(
          (await readTurnAt({ path, format, byte: turn.byte })) ?? { text: "none" },
        );
    },
  );

  it.for(FORMATS)(
    "streamTurns of %s yields the same turns in two reads as in one",
    async (format) => {
      const text = EXAMPLES[format].join("").replaceAll("slow", "slöw 😀");
      const bytes = Buffer.from(text);
      const whole = await all(await fileWith(bytes), format);
      for (let cut = 0; cut < bytes.length; cut += STEP) {
        const path = await fileWith(bytes.subarray(0, cut));
        const first = await all(path, format);
        appendFileSync(path, bytes.subarray(cut));
        const kept = parseTranscriptPosition(JSON.parse(JSON.stringify(first.position)));
        const second = await all(path, format, kept);
        expect(second.beganAt).toBe(first.position.byte);
        expect([...first.turns, ...second.turns]).toEqual(whole.turns);
        expect(second.position.byte).toBe(bytes.length);
      }
    },
  );

  it("streamTurns skips nothing that readMessages returns", async () => {
    const path = await fileWith("");
    await fc.assert(
      fc.asyncProperty(sessions, async (records) => {
        const text = records.map(renderRecord).join("");
        writeFileSync(path, text);
        const expected = readMessages(text, "caliban").messages.flatMap((message) => {
          if (message.role === "tool") return [];
          if (message.role === "user") return [message.text];
          return [
            message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
          ];
        });
        expect(await textsIn(path)).toEqual(expected.filter((each) => each.trim() !== ""));
      }),
      { numRuns: 30 },
    );
  });

  it("streamTurns leaves a truncated last line for the next read", async () => {
    const path = await fileWith(line("one") + line("two").slice(0, -4));
    const first = await all(path);
    expect(first.turns.map(({ text }) => text)).toEqual(["one"]);
    expect(first.position.byte).toBe(line("one").length);
    expect(first.facts.skipped.damagedLines).toBe(0);
    appendFileSync(path, line("two").slice(-4));
    const second = await all(path, "caliban", first.position);
    expect(second.turns.map(({ text }) => text)).toEqual(["two"]);
  });

  it("streamTurns leaves a truncated last line for the next read even if it is too long", async () => {
    const path = await fileWith(line("one"));
    const { position: first } = await all(path);
    appendFileSync(path, line("two"));
    const kept = line("one").length + line("two").length;
    appendFileSync(path, line("x".repeat(2 * MIB)).slice(0, -1));
    const torn = await all(path, "caliban", first);
    expect([torn.turns.map(({ text }) => text), torn.position.byte]).toEqual([["two"], kept]);
    appendFileSync(path, `\n${line("three")}`);
    const { turns, beganAt } = await all(path, "caliban", torn.position);
    expect([turns.map(({ text }) => text), beganAt]).toEqual([["three"], kept]);
  });

  it.for<readonly [string, string | Uint8Array, readonly string[]]>([
    ["Windows line ends", (line("a") + line("b")).replaceAll("\n", "\r\n"), ["a", "b"]],
    ["a byte order mark", `\uFEFF${line("a")}`, ["a"]],
    ["blank lines", `\n\n${line("a")}\n   \n`, ["a"]],
    ["NUL in a text", line("a\0b"), ["a\0b"]],
    ["NUL between lines", `${line("a")}\0\0\0\n${line("b")}`, ["a", "b"]],
    ["a lone surrogate", line("a\uD800b"), ["a\uD800b"]],
    [
      "invalid UTF-8",
      Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(line("a"))]),
      ["a"],
    ],
    ["lines that are not records", `[1]\nnull\n"a"\n{"type":7}\n${line("a")}`, ["a"]],
    ["nothing", "", []],
  ])("streamTurns accepts %s", async ([, text, expected]) => {
    const path = await fileWith(text);
    const { turns, position } = await all(path);
    expect(turns.map((turn) => turn.text)).toEqual(expected);
    expect(position.byte).toBe(Buffer.byteLength(text));
    for (const turn of turns)
      expect(turn).toMatchObject(
        (await readTurnAt({ path, format: "caliban", byte: turn.byte })) ?? { text: "none" },
      );
  });

  it("streamTurns skips and counts a line of 5 MB", async () => {
    const path = await fileWith(line("before"));
    const descriptor = openSync(path, "a");
    writeSync(descriptor, line("x").slice(0, -10));
    for (let count = 0; count < 5; count++) writeSync(descriptor, "x".repeat(MIB));
    writeSync(descriptor, `\n${line("after")}`);
    closeSync(descriptor);
    const { turns, facts } = await all(path);
    expect(turns.map(({ text }) => text)).toEqual(["before", "after"]);
    expect(facts.skipped).toMatchObject({ longLines: 1, damagedLines: 0 });
    expect(await readTurnAt({ path, format: "caliban", byte: line("before").length })).toBe(
      undefined,
    );
  });

  it("streamTurns does not count a long line without speech", async () => {
    const text = "x".repeat(2 * MIB);
    const result = { id: "c1", name: "Read", text, isError: false };
    const path = await fileWith(answered({ role: "tool", results: [result] }) + line("a"));
    const { turns, facts } = await all(path);
    expect(turns.map((turn) => turn.text)).toEqual(["a"]);
    expect(facts.skipped.longLines).toBe(0);
  });

  it("streamTurns skips messages copied from another session, wherever it starts", async () => {
    const lines = [
      renderRecord({ ...start(), continues: "20261116-171045-aaaa", carried: 2 }),
      renderRecord(said("copied", "m1")),
      renderRecord(said("copied too", "m2")),
      renderRecord(said("new", "m3")),
    ];
    const path = await fileWith(lines.slice(0, 2).join(""));
    const first = await all(path);
    appendFileSync(path, lines.slice(2).join(""));
    const second = await all(path, "caliban", first.position);
    expect([...first.turns, ...second.turns].map(({ text }) => text)).toEqual(["new"]);
  });

  it("streamTurns remembers in a later read that the user opted out", async () => {
    const path = await fileWith(renderRecord({ ...start(), learn: false }));
    const first = await all(path);
    appendFileSync(path, line("a"));
    const second = await all(path, "caliban", first.position);
    expect([first.facts.optedOut, second.facts.optedOut]).toEqual([true, true]);
  });

  it("streamTurns yields nothing of a sub-agent, even from the middle of the file", async () => {
    const [, ...rest] = EXAMPLES.codex;
    const meta = { type: "session_meta", payload: { id: "s", thread_source: "subagent" } };
    const path = await fileWith(`${JSON.stringify(meta)}\n`);
    const first = await all(path, "codex");
    appendFileSync(path, rest.join(""));
    const second = await all(path, "codex", first.position);
    expect([second.turns, second.beganAt > 0]).toEqual([[], true]);
  });

  it("streamTurns reads the whole file when it was replaced", async () => {
    const path = await fileWith(line("one") + line("two"));
    const { position } = await all(path);
    writeFileSync(path, line("six") + line("ten") + line("new"));
    expect(await all(path, "caliban", position)).toMatchObject({
      beganAt: 0,
      turns: [{ text: "six" }, {}, {}],
    });
    writeFileSync(`${path}.new`, line("one") + line("two") + line("three"));
    renameSync(`${path}.new`, path);
    expect(await all(path, "caliban", position)).toMatchObject({ beganAt: 0 });
  });

  it.for([
    ["a short file", 3],
    ["one of 1 MiB", 8_000],
  ] as const)("streamTurns reads all of %s when a word in it changed", async ([, many]) => {
    const text = line("the first question").repeat(many);
    for (const fraction of [0, 1 / 3, 1]) {
      const path = await fileWith(text);
      const { position } = await all(path);
      const at = Math.floor((text.length - line("the first question").length) * fraction);
      const changed = text.slice(0, at) + text.slice(at).replace("first", "other");
      writeFileSync(path, changed + line("new"));
      const { beganAt, turns } = await all(path, "caliban", position);
      expect([beganAt, turns.filter(({ text: words }) => words.includes("other"))]).toEqual([
        0,
        [expect.objectContaining({ text: "the other question" })],
      ]);
    }
  });

  it("streamTurns reads the whole file when it changed without growing, even between fingerprinted blocks", async () => {
    const text = line("x".repeat(MIB / 2)).repeat(16);
    const path = await fileWith(text);
    const { position } = await all(path);
    writeFileSync(path, `${text.slice(0, 100_000)}y${text.slice(100_001)}`);
    const { beganAt, turns } = await all(path, "caliban", position);
    expect([beganAt, turns[0]?.text.includes("y")]).toEqual([0, true]);
  });

  it("streamTurns continues in a file of 6 MiB that has grown", async () => {
    const path = await fileWith(line("x".repeat(MIB / 2)).repeat(12));
    const { position } = await all(path);
    appendFileSync(path, line("new"));
    const { beganAt, turns } = await all(path, "caliban", position);
    expect([beganAt, turns.map(({ text }) => text)]).toEqual([position.byte, ["new"]]);
  });

  it("streamTurns reads the whole file when it is shorter", async () => {
    const path = await fileWith(line("one") + line("two"));
    const { position } = await all(path);
    truncateSync(path, line("one").length);
    const { beganAt, turns } = await all(path, "caliban", position);
    expect([beganAt, turns.length]).toEqual([0, 1]);
  });

  it("streamTurns stops at the end of a file that shrinks during the read", async () => {
    const path = await fileWith(line("x".repeat(1000)).repeat(2000));
    const stream = streamTurns({ path, format: "caliban" });
    await stream.next();
    truncateSync(path, 10);
    const turns: StreamedTurn[] = [];
    for await (const more of stream) turns.push(...more);
    expect(turns.length).toBeLessThan(1000);
  });

  it("streamTurns closes the file when the caller stops early", async () => {
    const path = await fileWith(line("x".repeat(1000)).repeat(2000));
    let openFiles = 0;
    for await (const turns of streamTurns({ path, format: "caliban" })) {
      expect(turns.length).toBeGreaterThan(0);
      openFiles = descriptorsOf(path);
      break;
    }
    expect([openFiles, descriptorsOf(path)]).toEqual([1, 0]);
  });

  it.for(FORMATS)(
    "streamTurns of %s rejects links, pipes and directories without waiting",
    async (format) => {
      const directory = await temporaryDirectory();
      const [link, pipe] = [join(directory, "link"), join(directory, "pipe")];
      await symlink("/etc/hostname", link);
      execFileSync("mkfifo", [pipe]);
      for (const path of [link, pipe, directory]) {
        await expect(all(path, format)).rejects.toMatchObject({ code: "UNREADABLE" });
        await expect(readTurnAt({ path, format, byte: 0 })).rejects.toMatchObject({
          code: "UNREADABLE",
        });
      }
      const path = join(directory, "none");
      await expect(all(path, format)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(readTurnAt({ path, format, byte: 0 })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    },
  );
});

describe("readTurnAt", () => {
  it("readTurnAt returns undefined where no line begins or there is no text", async () => {
    const lines = EXAMPLES.caliban;
    const path = await fileWith(lines.join("") + line("torn").slice(0, -1));
    const at = async (byte: number): Promise<unknown> =>
      (await readTurnAt({ path, format: "caliban", byte }))?.text;
    const length = Buffer.byteLength(lines.join(""));
    const second = Buffer.byteLength(lines[0] ?? "");
    expect(await at(0)).toBe(undefined);
    expect(await at(second)).toBe("why is it slow");
    expect(await at(second + 1)).toBe(undefined);
    expect(await at(length)).toBe(undefined);
    expect(await at(length * 2)).toBe(undefined);
    expect(await at(Number.MAX_SAFE_INTEGER)).toBe(undefined);
  });

  it("readTurnAt ignores a record in the middle of a line", async () => {
    const path = await fileWith(`[]${line("inner")}`);
    expect(await readTurnAt({ path, format: "caliban", byte: 2 })).toBe(undefined);
  });

  it("readTurnAt reads a line of almost 1 MiB", async () => {
    const text = "é".repeat(MIB / 2 - 200);
    const path = await fileWith(line("a") + line(text));
    const byte = line("a").length;
    expect((await readTurnAt({ path, format: "caliban", byte }))?.text).toBe(text);
  });
});

describe("parseTranscriptPosition", () => {
  const position = {
    byte: 7,
    size: 9,
    inode: 1,
    print: "ab",
    known: { sessionId: undefined, optedOut: true, isSubAgent: false, carried: 2 },
    isTainted: false,
    touched: ["a.ts"],
  };

  it("parseTranscriptPosition restores a stored position", () => {
    expect(parseTranscriptPosition(JSON.parse(JSON.stringify(position)))).toEqual(position);
  });

  it.for([
    undefined,
    "a",
    [],
    {},
    { ...position, byte: -1 },
    { ...position, byte: 0.5 },
    { ...position, size: -1 },
    { ...position, print: 1 },
    { ...position, known: null },
    { ...position, known: { ...position.known, carried: "2" } },
  ])("parseTranscriptPosition rejects %j", (value) => {
    expect(parseTranscriptPosition(value)).toBe(undefined);
  });
});
