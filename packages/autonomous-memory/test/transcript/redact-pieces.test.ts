import { expect, it } from "vitest";
import { redactPieces } from "../../src/transcript/redact-pieces.ts";

const TEXT = "x AAAABBBB y";
const PIECE = { text: TEXT, headEnd: TEXT.length, tailStart: TEXT.length };

it("finds a secret that is only recognizable after the adjacent one is removed", async () => {
  // As with real scanners: the second value is not a separate word before the first one is replaced.
  const findSecrets = async (text: string) =>
    [/AAAA/, /(?<=\])BBBB/].flatMap((pattern) => {
      const found = pattern.exec(text);
      if (found === null) return [];
      return [{ kind: "key", start: found.index, end: found.index + 4 }];
    });
  const { pieces, redactedSecrets } = await redactPieces([PIECE], findSecrets);
  expect(pieces[0]?.text).toBe("x [secret removed: key][secret removed: key] y");
  expect(redactedSecrets).toBe(2);
});

it("removes a text as a whole in which every scan reveals another secret", async () => {
  const hostile = "x ".concat("AAAA".repeat(5_000));
  const plain = { text: "plain", headEnd: 5, tailStart: 5 };
  let scans = 0;
  const findSecrets = async (text: string) => {
    scans++;
    const start = text.indexOf("AAAA");
    return start === -1 ? [] : [{ kind: "key", start, end: start + 4 }];
  };
  const piece = { text: hostile, headEnd: hostile.length, tailStart: hostile.length };
  const { pieces } = await redactPieces([plain, piece, plain], findSecrets);
  expect(pieces.map(({ text }) => text)).toEqual([
    "plain",
    "[secrets removed: too many to tell apart]",
    "plain",
  ]);
  expect(scans).toBeLessThan(20);
});
