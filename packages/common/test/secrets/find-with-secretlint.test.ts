import { describe, expect, it } from "vitest";
import { findByPatterns } from "../../src/secrets/patterns/find-by-patterns.ts";
import { findWithSecretlint } from "../../src/secrets/find-with-secretlint.ts";
import { TOKEN_PATTERNS } from "../../src/secrets/patterns/tokens.ts";
import { tokenShapes } from "./token-shapes.ts";

const STRIPE = ["sk", "_live_", "Ab3dEf6hIj9lMn2pQr5tUv8x"].join("");

describe("findWithSecretlint", () => {
  it("findWithSecretlint finds what the recommended preset knows", async () => {
    expect(await findWithSecretlint(`key ${STRIPE}`, [])).toEqual([
      { kind: "stripe secret", start: 4, end: 4 + STRIPE.length },
    ]);
  });

  it("findWithSecretlint ignores a comment that would turn it off", async () => {
    const text = `<!-- secretlint-disable -->\n${STRIPE} secretlint-disable-line`;
    expect(await findWithSecretlint(text, [])).toHaveLength(1);
  });

  it("findWithSecretlint ignores what our own patterns matched", async () => {
    const span = { kind: "Stripe key", start: 4, end: 4 + STRIPE.length };
    expect(await findWithSecretlint(`key ${STRIPE}`, [span, span])).toEqual([]);
  });

  it("findWithSecretlint ignores placeholders", async () => {
    expect(await findWithSecretlint(`sk_live_${"x".repeat(24)}`, [])).toEqual([]);
  });

  it("findWithSecretlint finds nothing more in the tokens that our own patterns know", async () => {
    for (const { text } of tokenShapes(3)) {
      for (const written of [text, text.replaceAll(/[A-Za-z0-9]{12}$/g, "x".repeat(12))]) {
        const { matches } = findByPatterns(written, TOKEN_PATTERNS);
        const findings = await findWithSecretlint(written, matches);
        expect({ written, findings }).toEqual({ written, findings: [] });
      }
    }
  });
});
