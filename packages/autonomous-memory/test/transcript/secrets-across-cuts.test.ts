import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets, redactSecrets } from "@caliban/common/secrets";
import { createMadeUp } from "../../../common/test/secrets/random-values.ts";
import { contextualShapes } from "../../../common/test/secrets/contextual-shapes.ts";
import { tokenShapes } from "../../../common/test/secrets/token-shapes.ts";
import { writtenShapes } from "../../../common/test/secrets/written-shapes.ts";
import { cleanText } from "../../src/text/clean-text.ts";
import { redactPieces } from "../../src/transcript/redact-pieces.ts";
import {
  headOf,
  keptOf,
  planPieces,
  SCAN_MARGIN,
  wholePiece,
} from "../../src/transcript/scanned-piece.ts";

const PART = 6;
const SHAPES = [...tokenShapes(3), ...contextualShapes(3), ...writtenShapes(3)];
const FILLER = "The build of the parser is green, and so are all of its tests on both machines.\n";
const MAX_CHARS = 640;
/** All shapes with FULL=1. */
const SHAPES_PER_KIND = 3;
const FULL = process.env["FULL"] === "1";

describe("redactPieces with a secret across a cut", () => {
  it(
    "leaves nothing of a secret of any shape, wherever it is cut",
    { timeout: 120_000 },
    async () => {
      const leaks: string[] = [];
      for (const shape of FULL ? SHAPES : sample(SHAPES)) {
        for (const part of await leakedParts(shape)) leaks.push(`${shape.kind}: ${part}`);
      }
      expect(leaks).toEqual([]);
    },
  );

  it.for([50, 150])("removes a private key of %i lines", async (count) => {
    const { base64 } = createMadeUp(count);
    const lines = Array.from({ length: count }, () => base64(64));
    const label = ["PRIVATE", "KEY-----"].join(" ");
    const key = [`-----BEGIN ${label}`, ...lines, `-----END ${label}`].join("\n");
    const long = filler(40_000);
    const places = [30, 100, Math.floor(key.length / 2), key.length - 100, key.length - 3];
    const planned = [
      ...places.map((place) => headOf(`${key}\n${long}`, place)),
      ...places.flatMap((place) => planPieces(`${long}\n${key}`, 2 * place).slice(-1)),
    ];
    const { pieces } = await redactPieces(planned, findSecrets);
    const kept = pieces.map(keptOf).map(({ head, tail }) => `${head}\n${tail}`);
    expect(kept.flatMap((each) => lines.filter((line) => each.includes(line.slice(-8))))).toEqual(
      [],
    );
  });

  it("removes the end of a long key that only its first line reveals", async () => {
    const { base64 } = createMadeUp(9);
    const lines = Array.from({ length: 90 }, () => base64(64));
    const text = `${filler(40_000)}\nPrivate-Lines: 90\n${lines.join("\n")}`;
    const { pieces } = await redactPieces(planPieces(text, 400), findSecrets);
    const kept = pieces.map((piece) => keptOf(piece).tail).join("");
    expect(lines.filter((line) => kept.includes(line.slice(-8)))).toEqual([]);
  });

  it("scans only the ends of a large text", () => {
    const pieces = planPieces("all is well, ".repeat(1_000_000), 2_000);
    const scanned = pieces.reduce((sum, { text }) => sum + text.length, 0);
    expect(scanned).toBeLessThan(5_000);
    const dense = planPieces("A1b2".repeat(1_000_000), 2_000);
    expect(dense.map(({ text }) => text.length)).toEqual([
      1_000 + SCAN_MARGIN,
      1_000 + SCAN_MARGIN,
    ]);
  });

  it("moves the cut after the mark", async () => {
    const planned = headOf(`a password=hunter2hunter2 b ${filler(4_000)}`, 16);
    const { pieces, redactedSecrets } = await redactPieces([planned], findSecrets);
    expect(pieces.map((piece) => keptOf(piece).head)).toEqual([
      "a password=[secret removed: password]",
    ]);
    expect(redactedSecrets).toBe(1);
  });

  it("removes the rows of a table whose header is not shown", async () => {
    const rows = Array.from(
      { length: 80 },
      (_, at) => `| user${at} | Zk9!mPq2vLx${at} | some more words of it |`,
    );
    const text = `${filler(30_000)}| user | password | note |\n|---|---|---|\n${rows.join("\n")}\n`;
    const { pieces } = await redactPieces(planPieces(text, 400), findSecrets);
    expect(pieces.map((piece) => keptOf(piece).tail).join("")).not.toContain("mPq2");
  });

  it("never cuts a character in half", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "🙂"), { maxLength: 8 }),
        fc.nat(16),
        fc.nat(16),
        (units, headEnd, tailStart) => {
          const { head, tail } = keptOf({ text: units.join(""), headEnd, tailStart });
          expect(head.isWellFormed() && tail.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});

describe("redactPieces with many pieces", () => {
  it("finds the same secrets in many pieces as in each of them", async () => {
    const piece = fc.oneof(
      fc.constantFrom(...SHAPES.map(({ text }) => text)),
      fc.constantFrom(
        "",
        "plain",
        "password:",
        "the token is",
        "-----",
        "| a | password |\n|---|---|",
        "recovery codes:",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 5 }), async (texts) => {
        const { pieces } = await redactPieces(texts.map(wholePiece), findSecrets);
        const alone = await Promise.all(texts.map((text) => redactSecrets(text)));
        expect(pieces.map(({ text }) => text)).toEqual(alone.map(({ text }) => text));
      }),
      { numRuns: 200 },
    );
  });
});

interface Shape {
  readonly kind: string;
  readonly text: string;
  readonly value: string;
}

/** Three shapes of each kind of secret. */
function sample(shapes: readonly Shape[]): readonly Shape[] {
  const kinds = Map.groupBy(shapes, ({ kind }) => kind);
  return [...kinds.values()].flatMap((same) => same.slice(0, SHAPES_PER_KIND));
}

/** The parts of a secret that remain when a text is cut anywhere in it, at its start or at its end. */
async function leakedParts({ text, value }: Shape): Promise<readonly string[]> {
  const shape = cleanText(text);
  const step = Math.max(1, Math.floor(shape.length / 8));
  const cuts = Array.from({ length: Math.floor(shape.length / step) + 1 }, (_, at) => at * step);
  const long = filler(20_000);
  const planned = cuts.flatMap((cut) => {
    const start = `${filler(MAX_CHARS / 2 - cut - 1)}\n${shape}\n${long}`;
    const end = `${long}\n${shape}\n${filler(MAX_CHARS / 2 - (shape.length - cut) - 1)}`;
    return [
      planPieces(start, MAX_CHARS).at(0) ?? [],
      planPieces(end, MAX_CHARS).at(-1) ?? [],
    ].flat();
  });
  const { pieces } = await redactPieces(planned, findSecrets);
  const kept = pieces
    .map(keptOf)
    .map(({ head, tail }) => `${head}\n${tail}`.replaceAll(/\[secret removed: [^\]]*\]/g, ""));
  const parts = partsOf(cleanText(value));
  return kept.flatMap((each) => parts.filter((part) => each.includes(part)));
}

function filler(length: number): string {
  return length <= 0 ? "" : FILLER.repeat(Math.ceil(length / FILLER.length)).slice(0, length);
}

function partsOf(value: string): readonly string[] {
  return Array.from({ length: value.length - PART + 1 }, (_, start) =>
    value.slice(start, start + PART),
  );
}
