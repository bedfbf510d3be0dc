import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseTranscript } from "../src/transcript/transcript.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/sessions.md"), "utf8");
const examples = page.split("\n").filter((line) => line.startsWith('{"type":'));

it("docs/sessions.md has a valid example of every record", () => {
  const { records, diagnostics } = parseTranscript(`${examples.join("\n")}\n`);
  expect(diagnostics).toEqual([]);
  expect(records).toEqual(examples.map((line) => JSON.parse(line) as unknown));
  expect([...new Set(records.map(({ type }) => type))].toSorted()).toEqual([
    "compacted",
    "message",
    "model",
    "name",
    "notice",
    "resumed",
    "rewound",
    "session-start",
    "subagent",
    "turn-end",
  ]);
});
