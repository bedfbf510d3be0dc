import { describe, expect, it } from "vitest";
import { unmaskText } from "../../../src/secrets/views/unmask.ts";

describe("unmaskText", () => {
  it.for([
    ["plain text", "plain text"],
    ["a\u200Bb\u00ADc\uFEFF", "abc"],
    ["ｇｈｐ＿", "ghp_"],
    ["𝗴𝗵𝗽", "ghp"],
    [String.raw`gh\_p https:\/\/x C:\dir`, String.raw`gh_p https://x C:\dir`],
    ["naïve 日本 🙂 …", "naïve 日本 🙂 …"],
  ] as const)("unmaskText reads %j as %j", ([text, expected]) => {
    expect(unmaskText(text).text).toBe(expected);
  });
});
