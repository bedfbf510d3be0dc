import { execFileSync } from "node:child_process";
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { identifyTranscript, isOptedOut, streamMessages } from "../../src/node/stream-messages.ts";
import {
  type TranscriptFacts,
  readMessages,
  type TranscriptFormat,
} from "../../src/readers/transcript-reader.ts";

import { renderRecord, type SessionRecord } from "../../src/record/record.ts";
import type { SessionMessage } from "../../src/record/session-message.ts";
import { sessions, start } from "../record/arbitrary-records.ts";
import { descriptorsOf } from "./descriptors-of.ts";

const AT = "2026-11-16T17:10:45.000Z";
const MIB = 1024 * 1024;
const FORMATS: readonly TranscriptFormat[] = ["caliban", "claude", "codex"];

const claudeLine = (text: string): string =>
  `${JSON.stringify({ type: "user", message: { role: "user", content: text }, cwd: "/app", sessionId: "s" })}\n`;

async function fileWith(text: string): Promise<string> {
  const path = join(await temporaryDirectory(), "a.jsonl");
  writeFileSync(path, text);
  return path;
}

/** The messages of a file, and the facts at the end of the stream. */
async function all(
  path: string,
  format: TranscriptFormat,
): Promise<{ readonly messages: readonly SessionMessage[]; readonly facts: TranscriptFacts }> {
  const stream = streamMessages({ path, format });
  const messages: SessionMessage[] = [];
  for (;;) {
    const { done, value } = await stream.next();
    if (done === true) return { messages, facts: value };
    messages.push(value);
  }
}

describe("streamMessages", () => {
  it("streamMessages yields what readMessages returns", async () => {
    const path = await fileWith("");
    await fc.assert(
      fc.asyncProperty(sessions, fc.boolean(), async (records, isTruncated) => {
        const text = records
          .map(renderRecord)
          .join("")
          .slice(0, isTruncated ? -9 : undefined);
        writeFileSync(path, text);
        expect(await all(path, "caliban")).toEqual(readMessages(text, "caliban"));
      }),
      { numRuns: 20 },
    );
  });

  it("streamMessages skips and counts a line of 40 MB", async () => {
    const path = await fileWith(claudeLine("before"));
    const descriptor = openSync(path, "a");
    for (let count = 0; count < 40; count++) writeSync(descriptor, "x".repeat(MIB));
    writeSync(descriptor, `\n${claudeLine("after")}`);
    closeSync(descriptor);
    const { messages, facts } = await all(path, "claude");
    expect(messages.map((message) => Reflect.get(message, "text"))).toEqual(["before", "after"]);
    expect(facts.skipped).toMatchObject({ longLines: 1, damagedLines: 0 });
  });

  it("streamMessages yields early and closes the file when the caller stops", async () => {
    const path = await fileWith(claudeLine("x".repeat(MIB)).repeat(5));
    let openFiles = 0;
    for await (const message of streamMessages({ path, format: "claude" })) {
      expect(message.role).toBe("user");
      openFiles = descriptorsOf(path);
      break;
    }
    expect([openFiles, descriptorsOf(path)]).toEqual([1, 0]);
  });

  it.for(FORMATS)(
    "streamMessages of %s rejects links, pipes and directories without waiting",
    async (format) => {
      const directory = await temporaryDirectory();
      const [link, pipe] = [join(directory, "link"), join(directory, "pipe")];
      await symlink("/etc/hostname", link);
      execFileSync("mkfifo", [pipe]);
      for (const path of [link, pipe, directory]) {
        await expect(all(path, format)).rejects.toMatchObject({ code: "UNREADABLE" });
        await expect(identifyTranscript({ path, format })).rejects.toMatchObject({
          code: "UNREADABLE",
        });
      }
      const none = join(directory, "none");
      await expect(all(none, format)).rejects.toMatchObject({ code: "NOT_FOUND" });
    },
  );
});

describe("identifyTranscript", () => {
  it("identifyTranscript reads only the beginning", async () => {
    // The damaged second line would be counted if it were read.
    const path = await fileWith(`${claudeLine("a")}${" ".repeat(80_000)}x\n`);
    expect(await identifyTranscript({ path, format: "claude" })).toMatchObject({
      sessionId: "s",
      cwd: "/app",
      skipped: { damagedLines: 0 },
    });
  });

  it("identifyTranscript reads on when the first line is long", async () => {
    const path = await fileWith(claudeLine("x".repeat(300_000)));
    expect(await identifyTranscript({ path, format: "claude" })).toMatchObject({ cwd: "/app" });
  });

  it("identifyTranscript gives up after 4 MiB", async () => {
    const path = await fileWith(`${"x".repeat(5 * MIB)}\n${claudeLine("a")}`);
    const { cwd, skipped } = await identifyTranscript({ path, format: "claude" });
    expect([cwd, skipped.damagedLines]).toEqual([undefined, 0]);
  });

  it("identifyTranscript knows nothing about an empty file", async () => {
    const path = await fileWith("");
    expect(await identifyTranscript({ path, format: "codex" })).toMatchObject({
      sessionId: undefined,
      cwd: undefined,
    });
  });
});

describe("isOptedOut", () => {
  const said = (text: string): SessionRecord => ({
    type: "message",
    id: "m1",
    at: AT,
    message: { role: "user", text },
  });
  const resumed: SessionRecord = {
    type: "resumed",
    at: AT,
    cwd: "",
    model: "",
    version: "",
    learn: false,
  };
  const long = said("x".repeat(300_000));

  it.for<readonly [string, boolean, readonly SessionRecord[]]>([
    ["true for an opt-out in the first line", true, [{ ...start(), learn: false }, long]],
    ["true for an opt-out far after the first line", true, [start(), long, long, resumed, long]],
    ["false without an opt-out", false, [start(), long]],
    [
      "false for an opt-out inside a message",
      false,
      [start(), said('"learn":false {"type":"resumed","learn":false}')],
    ],
  ])("isOptedOut is %s", async ([, expected, records]) => {
    const path = await fileWith(records.map(renderRecord).join(""));
    expect(await isOptedOut({ path, format: "caliban" })).toBe(expected);
  });

  it("isOptedOut finds an opt-out in a Codex rollout, and never in a Claude Code transcript", async () => {
    const meta = (id: string, mode: string): string =>
      `${JSON.stringify({ type: "session_meta", payload: { id, cwd: "/app", memory_mode: mode } })}\n`;
    const rest = `${JSON.stringify({ type: "event_msg", payload: { type: "token_count" } })}\n`;
    const path = await fileWith(meta("a", "enabled") + rest.repeat(9_000) + meta("a", "disabled"));
    expect(await isOptedOut({ path, format: "codex" })).toBe(true);
    expect(await isOptedOut({ path, format: "claude" })).toBe(false);
    const forked = await fileWith(meta("a", "enabled") + meta("b", "disabled"));
    expect(await isOptedOut({ path: forked, format: "codex" })).toBe(false);
  });
});
