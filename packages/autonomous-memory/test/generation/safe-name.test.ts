import { posix, win32 } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { uniqueName, isSafePath, safeName } from "../../src/generation/safe-name.ts";

const part = fc.constantFrom(
  "..",
  ".",
  "/",
  "\\",
  ":",
  "\0",
  "a",
  "B",
  "-",
  "con",
  "nul.txt",
  " ",
  "é",
  "%2f",
);
const hostile = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(""));

describe("safeName", () => {
  it.for([
    ["deploy", "deploy"],
    ["Deploy the App!", "deploy-the-app"],
    ["../../x", "x"],
    ["CON", "con-file"],
    ["nul", "nul-file"],
    ["com1", "com1-file"],
    ["Über", "uber"],
    ["a".repeat(300), "a".repeat(64)],
    ["x_y.z", "x-y-z"],
    ["", undefined],
    ["../..", undefined],
    ["日本", undefined],
  ])("turns %j into %j", ([text, expected]) => {
    expect(safeName(text ?? "")).toBe(expected);
  });

  it("returns 1 to 64 plain characters that cannot leave a directory, or nothing", () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ maxLength: 90 })), (text) => {
        const name = safeName(text);
        if (name === undefined) return;
        expect(name).toMatch(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/);
        expect(name.length).toBeLessThanOrEqual(64);
      }),
      { numRuns: 1_000 },
    );
  });

  it("gives colliding names different numbers", () => {
    const taken = new Set(["x", "x-2"]);
    expect(uniqueName("x", taken)).toBe("x-3");
    expect(uniqueName("a".repeat(64), new Set(["a".repeat(64)]))).toBe(`${"a".repeat(62)}-2`);
  });
});

describe("isSafePath", () => {
  it.for(["run.sh", "a/b/c/d.txt", ".env.example", "A_1-b.md"])("accepts %j", (path) => {
    expect(isSafePath(path)).toBe(true);
  });

  it.for([
    "",
    ".",
    "..",
    "../x",
    "a/../b",
    "/etc/passwd",
    "a//b",
    "a/",
    String.raw`a\b`,
    "C:x",
    "a:b",
    "a\0",
    "a b",
    "a/b/c/d/e",
    "con",
    "a/NUL.txt",
    "a.",
    "é",
    "x".repeat(201),
  ])("rejects %j", (path) => {
    expect(isSafePath(path)).toBe(false);
  });

  it("rejects every path that leaves its root, on any system", () => {
    fc.assert(
      fc.property(hostile, (path) => {
        if (!isSafePath(path)) return;
        expect(posix.resolve("/root", path).startsWith("/root/")).toBe(true);
        expect(win32.resolve(String.raw`C:\root`, path).startsWith("C:\\root\\")).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
