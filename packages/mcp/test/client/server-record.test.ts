import { expect, it } from "vitest";
import { isListingDue, parseRecord, renderRecord } from "../../src/client/server-record.ts";
import { parseTools } from "../../src/client/tool-list.ts";

const KEY = { workspaceRoot: "/w", server: { name: "x", fingerprint: "f" } };

it("reads a stored record only for the same server in the same workspace", () => {
  const { tools } = parseTools([{ name: "a", inputSchema: { type: "object" } }]);
  const record = {
    listing: { atMs: 5, tools, problems: ["ignored b"], memories: 3 },
    failure: { atMs: 6, message: "exited with code 1" },
  };
  const text = renderRecord(record, KEY);
  expect(parseRecord(text, KEY)).toEqual(record);
  expect(parseRecord(text, { ...KEY, workspaceRoot: "/other" })).toEqual({});
  const server = { ...KEY.server, fingerprint: "g" };
  expect(parseRecord(text, { ...KEY, server })).toEqual({});
});

it("reads and writes the keys that older versions use", () => {
  const text = `${JSON.stringify({
    version: 1,
    workspaceRoot: "/w",
    name: "x",
    fingerprint: "f",
    list: { atMs: 5, tools: [], problems: [] },
    failure: { atMs: 6, sentence: "it ended with exit code 1" },
  })}\n`;
  const record = parseRecord(text, KEY) ?? {};
  expect(record.failure).toEqual({ atMs: 6, message: "it ended with exit code 1" });
  expect(renderRecord(record, KEY)).toBe(text);
});

it("fetches a list again after a day, but not within ten minutes of a failure", () => {
  const hours = (count: number): number => count * 3_600_000;
  const listing = { atMs: 0, tools: [], problems: [] };
  expect(isListingDue({}, 0)).toBe(true);
  expect(isListingDue({ listing }, hours(23))).toBe(false);
  expect(isListingDue({ listing }, hours(25))).toBe(true);
  const failure = { atMs: hours(25) - 1_000, message: "exited" };
  expect(isListingDue({ listing, failure }, hours(25))).toBe(false);
  expect(isListingDue({ listing, failure }, hours(26))).toBe(true);
});
