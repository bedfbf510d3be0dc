import { describe, expect, it } from "vitest";
import { decodeRuns } from "../../../src/secrets/views/decode-runs.ts";
import { keepCandidates } from "../../../src/secrets/views/candidates.ts";

const TEXT = "user = bob\nport = 5432\nhost = db.internal.example.com\nname = shop2\n";

describe("decodeRuns", () => {
  it.for([
    ["Base64", `data: ${btoa(TEXT)}`, btoa(TEXT)],
    ["Base64 without padding", btoa(TEXT).replaceAll("=", ""), btoa(TEXT).replaceAll("=", "")],
    ["wrapped Base64", `  ${wrap(btoa(TEXT), "\n  ")}\n\nend`, wrap(btoa(TEXT), "\n  ")],
    [
      "Base64 in a JSON string",
      `"${wrap(btoa(TEXT), String.raw`\n`)}"`,
      wrap(btoa(TEXT), String.raw`\n`),
    ],
    ["Base64 with two other letters", `x=${url(`???${TEXT}`)}`, url(`???${TEXT}`)],
    ["hex", `payload ${hex(TEXT)}`, hex(TEXT)],
    ["hex with a prefix", `0x${hex(TEXT)}`, `0x${hex(TEXT)}`],
  ] as const)("decodeRuns decodes %s", ([, text, run]) => {
    const decoded = decode(text).filter(({ bytes }) => bytes.includes(TEXT.trimEnd()));
    expect(decoded.map(({ start, end }) => text.slice(start, end))).toContain(run);
  });

  it.for([
    ["a hash", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["an image", "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"],
    ["a long name", "internationalization-of-the-configuration-2"],
    ["a path", "usr/lib/python3/dist-packages/setuptools/command2"],
    ["a short text", btoa("hello world")],
  ] as const)("decodeRuns ignores %s", ([, text]) => {
    expect(decode(text)).toEqual([]);
  });
});

function decode(text: string): ReturnType<typeof decodeRuns> {
  return decodeRuns(text, keepCandidates(text));
}

function wrap(text: string, lineEnd: string): string {
  return text.match(/.{1,60}/g)?.join(lineEnd) ?? "";
}

function url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function hex(text: string): string {
  return Array.from(text, (character) =>
    character.charCodeAt(0).toString(16).padStart(2, "0"),
  ).join("");
}
