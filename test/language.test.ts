import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { ALLOWED_PHRASES } from "../scripts/language/allowed-phrases.ts";
import { BANNED_PHRASES } from "../scripts/language/banned-phrases.ts";
import { findBannedPhrases } from "../scripts/language/find-banned-phrases.ts";

const FIXTURE = "test/must-fail/language/banned.md";
const lines = readFileSync(join(root, FIXTURE), "utf8").split("\n").slice(2);

it("finds a banned phrase in every line of the fixture", () => {
  const clean = lines.filter(
    (line) => line !== "" && findBannedPhrases(FIXTURE, line).length === 0,
  );
  expect(clean).toEqual([]);
});

it("finds a line in the fixture for every banned phrase", () => {
  const unused = BANNED_PHRASES.filter(({ pattern }) => !lines.some((line) => pattern.test(line)));
  expect(unused).toEqual([]);
});

it("accepts plain English", () => {
  const text = `The user can fix the file; there is no session, and it is no longer locked.
    it("rejects a slug that contains a path separator", () => {});`;
  expect(findBannedPhrases("docs/memory.md", text)).toEqual([]);
});

it("allows a phrase only where it still occurs", () => {
  const stale = ALLOWED_PHRASES.filter(
    ({ path, text }) =>
      path.includes(".") && !readFileSync(join(root, path), "utf8").includes(text),
  );
  expect(stale).toEqual([]);
});
