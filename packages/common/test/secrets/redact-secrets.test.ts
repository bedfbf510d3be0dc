import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactSecrets } from "../../src/secrets/redact-secrets.ts";
import { contextualShapes } from "./contextual-shapes.ts";
import { ordinaryLines } from "./ordinary-lines.ts";
import { reviewedShapes } from "./reviewed-shapes.ts";
import { tokenShapes } from "./token-shapes.ts";
import { writtenShapes } from "./written-shapes.ts";

const PART = 6;
const SHAPES = [...tokenShapes(2), ...contextualShapes(2), ...writtenShapes(2)];
const ORDINARY = ordinaryLines();

describe("redactSecrets", () => {
  it.for([
    ["password = 'hunter2hunter2';", "password = '[secret removed: password]';"],
    [
      "postgres://app:hunter2hunter2@db/app",
      "postgres://app:[secret removed: password in a URL]@db/app",
    ],
    [
      "The password is hunter2hunter2. Keep it.",
      "The password is [secret removed: password]. Keep it.",
    ],
    [
      "Server=db;Password=Str0ng!Pass9;Encrypt=true",
      "Server=db;Password=[secret removed: password];Encrypt=true",
    ],
    ["nothing to hide", "nothing to hide"],
    ["", ""],
  ] as const)("redactSecrets turns %j into %j", async ([text, expected]) => {
    expect((await redactSecrets(text)).text).toBe(expected);
  });

  it("redactSecrets leaves no part of the value of any known shape", async () => {
    for (const { kind, text, value } of SHAPES) {
      const redacted = await redactSecrets(text);
      expect(redacted.text).toContain(`[secret removed: ${kind}]`);
      const kept = redacted.text.replaceAll(/\[secret removed: [^\]]*\]/g, "");
      const parts = partsOf(value).filter((part) => kept.includes(part));
      expect({ text, parts }).toEqual({ text, parts: [] });
    }
  });

  it("redactSecrets leaves no part of an extremely long value", async () => {
    const value = "Ab3".repeat(20_000);
    for (const text of [
      `ghp_${value}`,
      `password=${value}`,
      `token: "${value}"`,
      `Bearer ${value}`,
    ]) {
      expect((await redactSecrets(text)).text).not.toContain("Ab3Ab3");
    }
  });

  it("redactSecrets leaves ordinary text unchanged", async () => {
    const text = ORDINARY.join("\n");
    expect(await redactSecrets(text)).toEqual({ text, findings: [] });
  });

  it("redactSecrets changes nothing when it runs a second time", async () => {
    const piece = fc.oneof(
      fc.constantFrom(...[...SHAPES, ...reviewedShapes(2)].map(({ text }) => text)),
      fc.constantFrom(...ORDINARY),
      fc.constantFrom(
        "password",
        "token is ",
        "api_key",
        " = ",
        ": ",
        "=",
        '"',
        "`",
        "]",
        "://a:",
        "@",
        "\u200B",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const once = await redactSecrets(pieces.join(""));
        expect(await redactSecrets(once.text)).toEqual({ text: once.text, findings: [] });
      }),
      { numRuns: 300 },
    );
  });
});

function partsOf(value: string): readonly string[] {
  return Array.from({ length: value.length - PART + 1 }, (_, start) =>
    value.slice(start, start + PART),
  );
}
