import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMadeUp } from "../../../../common/test/secrets/random-values.ts";
import { contextualShapes } from "../../../../common/test/secrets/contextual-shapes.ts";
import { type SecretShape, tokenShapes } from "../../../../common/test/secrets/token-shapes.ts";
import {
  sanitizeText,
  MAX_TURN_CHARACTERS,
  plainText,
} from "../../../src/node/search/sanitize-text.ts";

const PART = 8;
const SHAPES = [...tokenShapes(5), ...contextualShapes(5)];
const PROSE = "The build of the parser is green, and so are all of its tests.\n";

describe("sanitizeText", () => {
  it("shows no part of a secret, whatever surrounds it", async () => {
    const around = fc.record({
      shape: fc.constantFrom(...SHAPES),
      filler: fc.constantFrom("\u001B[31m", "\r\n", "\0", PROSE, "\u001B[1m a "),
      // The share of the secret before a possible cut.
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
      at: fc.constantFrom(4_000, 5_024, 8_000, 20_384, 163_072),
      isCountedPlain: fc.boolean(),
      hasKeyBefore: fc.boolean(),
      after: fc.constantFrom("", "end", PROSE.repeat(400)),
    });
    await fc.assert(
      fc.asyncProperty(around, async ({ shape, filler, cut, at, ...more }) => {
        const before = `${more.hasKeyBefore ? LONG_KEY : ""}\n`;
        const start = at - Math.floor(cut * shape.text.length);
        const size = more.isCountedPlain ? plainText(filler).length : filler.length;
        const count = Math.max(0, Math.floor((start - before.length) / Math.max(1, size)));
        const pad = " ".repeat(Math.max(0, start - before.length - count * Math.max(1, size)));
        const text = `${before}${filler.repeat(Math.min(count, 40_000))}${pad}\n${shape.text}\n${more.after}`;
        expect(partsIn(await sanitizeText(text), shape)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("keeps the text before a secret that was cut off", async () => {
    const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const text = `${"\u001B[31mred ".repeat(880)}${token} ${PROSE.repeat(3000)}`;
    const shown = await sanitizeText(text);
    expect(shown.startsWith("red red red")).toBe(true);
    expect(shown).toContain("[secret removed: GitHub token] The build");
    expect(shown.length).toBeGreaterThan(MAX_TURN_CHARACTERS - 100);
  });

  it("finds a secret with invisible characters in it", async () => {
    const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const hidden = `${token.slice(0, 20)}\u200E\u001B[0m${token.slice(20)}`;
    expect(await sanitizeText(`with ${hidden} now`)).toBe(
      "with [secret removed: GitHub token] now",
    );
  });

  it("limits a text of a million characters without scanning all of it", async () => {
    for (const unit of ["\u001B[", "\u001B[0", "ab ", "A1b2", "\0"]) {
      // Scanning everything would run into the time limit of the test.
      const shown = await sanitizeText(unit.repeat(1_000_000 / unit.length));
      expect(shown.length).toBeLessThanOrEqual(MAX_TURN_CHARACTERS);
    }
  });
});

const KEY_LABEL = ["PRIVATE", "KEY-----"].join(" ");
const LONG_KEY: string = [
  `-----BEGIN ${KEY_LABEL}`,
  ...Array.from({ length: 40 }, () => createMadeUp(7).base64(64)),
  `-----END ${KEY_LABEL}`,
].join("\n");

function partsIn(shown: string, { value }: SecretShape): readonly string[] {
  const rest = shown.replaceAll(/\[secret removed: [^\]]*\]/g, "");
  return Array.from({ length: Math.max(1, value.length - PART + 1) }, (_, start) =>
    value.slice(start, start + PART),
  ).filter((part) => rest.includes(part));
}
