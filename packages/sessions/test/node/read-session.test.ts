import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { readSession, readTranscript } from "../../src/node/read-session.ts";
import { renderRecord, type SessionRecord } from "../../src/record/record.ts";
import { parseSessionId } from "../../src/identity/session-id.ts";
import { sessions, start } from "../record/arbitrary-records.ts";

const ID = parseSessionId("20261116-171045-k3f9");
const MIB = 1024 * 1024;
const said = (text: string): SessionRecord => ({
  type: "message",
  id: "m1",
  at: "x",
  message: { role: "user", text },
});

it("readTranscript reads a file like parseTranscript reads a text", async () => {
  const path = join(await temporaryDirectory(), "a.jsonl");
  await fc.assert(
    fc.asyncProperty(sessions, async (records) => {
      writeFileSync(path, records.map(renderRecord).join(""));
      expect(await readTranscript(path)).toEqual({ records, diagnostics: [] });
    }),
    { numRuns: 20 },
  );
});

it("readTranscript reads lines that are longer than a chunk", async () => {
  const path = join(await temporaryDirectory(), "a.jsonl");
  const texts = ["é".repeat(300_000), "x".repeat(256 * 1024), "", "😀".repeat(200_000)];
  writeFileSync(path, [start(), ...texts.map(said)].map(renderRecord).join(""));
  const { records, diagnostics } = await readTranscript(path);
  expect(records.slice(1)).toEqual(texts.map(said));
  expect(diagnostics).toEqual([]);
});

it("readTranscript skips lines that are too long, including the last one", async () => {
  const path = join(await temporaryDirectory(), "a.jsonl");
  const line = renderRecord(said("x".repeat(300)));
  const text = renderRecord(start()) + line + renderRecord(said("short")) + line.trimEnd();
  writeFileSync(path, text);
  const { records, diagnostics } = await readTranscript(path, 250);
  expect(records).toEqual([start(), said("short")]);
  expect(diagnostics.map(({ code, line: at }) => [code, at])).toEqual([
    ["LINE_TOO_LONG", 2],
    ["LINE_TOO_LONG", 4],
  ]);
});

it("readSession skips and reports a line of 33 MiB", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, `${ID}.jsonl`);
  const descriptor = openSync(path, "w");
  writeSync(descriptor, renderRecord(start()));
  for (let count = 0; count < 33; count++) writeSync(descriptor, "x".repeat(MIB));
  writeSync(descriptor, `\n${renderRecord(said("after"))}`);
  closeSync(descriptor);
  const { records, diagnostics } = await readSession(directory, ID);
  expect(records).toEqual([start(), said("after")]);
  expect(diagnostics).toMatchObject([
    { code: "LINE_TOO_LONG", line: 2, message: "skipped line 2: it is longer than 32 MiB" },
  ]);
});

it("readSession rejects links and pipes without waiting", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, `${ID}.jsonl`);
  await expect(readSession(directory, ID)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await symlink("/etc/hostname", path);
  await expect(readSession(directory, ID)).rejects.toThrow("it is a symbolic link");
  const pipe = join(directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  await expect(readTranscript(pipe)).rejects.toMatchObject({ code: "UNREADABLE" });
});
