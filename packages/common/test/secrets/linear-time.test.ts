import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONTEXTUAL_PATTERNS } from "../../src/secrets/apply-rules.ts";
import { findByPatterns } from "../../src/secrets/patterns/find-by-patterns.ts";
import { PRIVATE_KEY_PATTERNS } from "../../src/secrets/patterns/private-keys.ts";
import { TOKEN_PATTERNS } from "../../src/secrets/patterns/tokens.ts";
import { decodeRuns } from "../../src/secrets/views/decode-runs.ts";
import { keepCandidates } from "../../src/secrets/views/candidates.ts";
import { resolveEscapes } from "../../src/secrets/views/resolve-escapes.ts";
import { unmaskText } from "../../src/secrets/views/unmask.ts";
import { unwrapLines } from "../../src/secrets/views/unwrap-lines.ts";
import { HOSTILE_PIECES } from "./hostile-pieces.ts";
import { mustFollowOpenEnd } from "./open-ended-parts.ts";

const PATTERNS = [...PRIVATE_KEY_PATTERNS, ...TOKEN_PATTERNS, ...CONTEXTUAL_PATTERNS];
const SIZE = 2 ** 14;

describe("linear time", () => {
  it.for([
    ["a+b", true],
    ["a{3,}(?!b)", true],
    ["(?:a+)?b", true],
    ["(?:a+|b)c", true],
    ["a+b?", false],
    ["a{3,}", false],
    ["a{3,9}b", false],
    ["(?=a*)b", false],
  ] as const)("mustFollowOpenEnd of %j is %j", ([source, expected]) => {
    expect(mustFollowOpenEnd(source)).toBe(expected);
  });

  // A pattern in this list reads a long run to its end before it fails. That is linear only if the run cannot contain the
  // beginning of the pattern: check that before you add one.
  it("no further pattern must find something after an open-ended part", () => {
    const suspects = PATTERNS.filter(({ pattern }) => mustFollowOpenEnd(pattern.source));
    expect(suspects.map(({ kind, pattern }) => `${kind}: ${pattern.source.slice(0, 32)}`))
      .toMatchInlineSnapshot(`
      [
        "private key: (?:-----|---- )BEGIN (?:[A-Z0-9]",
        "private key: (?<=(?<value>(?:(?<!\\\\)[A-Za-z0-",
        "CircleCI token: CCIP(?:AT|RJ)_[A-Za-z0-9]{20,}_[",
        "Facebook token: (?<![\\w+/-])EAA[A-Za-z0-9]{80,}(",
        "Google HMAC key id: (?<![\\w+/-])GOOG1[A-Z0-9]{40,}(?",
        "JSON Web Token: (?<![\\w-])eyJ[\\w-]{10,}[.][\\w-]{",
        "LinkedIn secret: WPL_AP1[.][A-Za-z0-9]{10,}[.][A-",
        "Mapbox secret token: (?<![\\w-])sk[.]eyJ[\\w-]{20,}[.][",
        "Tinybird token: (?<![\\w.])p[.]eyJ[\\w-]{40,}[.][\\",
        "Zapier webhook: hooks[.]zapier[.]com\\/hooks\\/cat",
        "password hash: [$]argon2(?:id|i|d)[$](?:v=\\d+[$",
        "password hash: (?:pbkdf2[:_]sha\\d+|scrypt)[:$][",
        "TOTP seed: (?<![A-Za-z0-9])(?:[Tt][Oo][Tt][",
        "password: (?:echo|printf)[ \\t]{1,4}(?:-n[ ",
        "password in a URL: :\\/\\/(?<user>[\\w.%+~!-]{0,128}):",
        "GitHub token: :\\/\\/(?<value>[\\w-]{16,}):x-oaut",
        "token in a URL: :\\/\\/(?<value>[\\w-]{20,})@(?=[\\w",
        "password: ^[\\w.*-]{1,253}:(?:\\d{4,5}|\\*):[",
        "password: (?<![\\w-])(?:log-?ins?|creds?|cr",
        "password: (?<![\\w-])(?:log|sign)(?:ged|gin",
        "password: (?:pass(?:word|wd|phrase|code|wo",
        "password: (?:密码|密碼|口令|パスワード|暗証番号|비밀번호|비번|암",
        "password: passcode["'\`*)]{0,4}[ \\t]{0,4}(?",
      ]
    `);
  });

  it("a text of twice the size has at most twice as many candidates, and twice their length", () => {
    for (const piece of HOSTILE_PIECES) {
      const [once, twice] = [countWork(fill(piece, SIZE)), countWork(fill(piece, 2 * SIZE))];
      expect({ piece, isLinear: twice <= 2 * once + SIZE }).toEqual({ piece, isLinear: true });
    }
  });

  it("no view of a text is longer than the text and its gaps", () => {
    const text = fc
      .array(fc.constantFrom(...HOSTILE_PIECES, "a", " ", "\n"), { maxLength: 30 })
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, (original) => {
        const candidates = keepCandidates(original);
        const decoded = decodeRuns(original, candidates).map(({ bytes }) => bytes);
        const gaps = original.length / 500 + 2;
        expect(unmaskText(original).text.length).toBeLessThanOrEqual(original.length);
        expect(unwrapLines(original).text.length).toBeLessThanOrEqual(original.length);
        expect(candidates.text.length).toBeLessThanOrEqual(original.length + 1);
        expect(resolveEscapes(original).text.length).toBeLessThanOrEqual(
          original.length + 30 * gaps,
        );
        expect(decoded.join("").length).toBeLessThanOrEqual(2 * original.length);
      }),
    );
  });
});

/** How much the patterns look at: the length of everything that has the shape of a secret. */
function countWork(text: string): number {
  let work = 0;
  const counted = PATTERNS.map(({ kind, pattern }) => ({
    kind,
    pattern,
    isSecret: (value: string) => {
      work += 1 + value.length;
      return false;
    },
  }));
  findByPatterns(text, counted);
  return work;
}

function fill(piece: string, size: number): string {
  return piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
}
