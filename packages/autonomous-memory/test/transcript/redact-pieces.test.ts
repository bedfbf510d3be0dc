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
