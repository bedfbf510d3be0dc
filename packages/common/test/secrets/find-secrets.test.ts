import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../../src/secrets/find-secrets.ts";
import { contextualShapes } from "./contextual-shapes.ts";
import { ordinaryLines } from "./ordinary-lines.ts";
import { tokenShapes } from "./token-shapes.ts";
import { writtenShapes } from "./written-shapes.ts";

const TOKENS = tokenShapes(1);
const SHAPES = [...TOKENS, ...contextualShapes(1), ...writtenShapes(1)];
const ORDINARY = ordinaryLines();

describe("findSecrets", () => {
  it("findSecrets reports the kind, span and line of every known shape of a secret", async () => {
    expect(SHAPES.length).toBeGreaterThan(290);
    for (const { kind, text, value } of SHAPES) {
      const document = `# Notes\n\n${text}\n\nThe end.\n`;
      const findings = await findSecrets(document);
      expect({ text, kinds: findings.map((finding) => finding.kind) }).toEqual({
        text,
        kinds: [kind],
      });
      const [{ start, end, line } = { start: 0, end: 0, line: 0 }] = findings;
      expect(document.slice(start, end)).toContain(value);
      expect(line).toBe(document.slice(0, start).split("\n").length);
      expect(line).toBeGreaterThan(2);
    }
  });

  it("findSecrets finds a token whatever its characters are", async () => {
    const seeds = fc.nat(99);
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const shapes = tokenShapes(seed);
        const findings = await findSecrets(shapes.map(({ text }) => text).join("\n"));
        expect(findings.map(({ kind, line }) => [line, kind])).toEqual(
          shapes.map(({ kind }, index) => [index + 1, kind]),
        );
      }),
      { numRuns: 10 },
    );
  });

  it("findSecrets finds a secret on its line anywhere among ordinary lines", async () => {
    const lines = fc.array(fc.constantFrom(...ORDINARY), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.constantFrom(...SHAPES),
        lines,
        async (before, { text, value }, after) => {
          const document = [...before, text, ...after].join("\n");
          const findings = await findSecrets(document);
          expect(findings).toHaveLength(1);
          const [{ start, end, line } = { start: 0, end: 0, line: 0 }] = findings;
          expect(document.slice(start, end)).toContain(value);
          expect(line).toBe(document.slice(0, start).split("\n").length);
          expect(line).toBeGreaterThan(before.length);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.for([
    ["a sentence", (token: string) => `Use ${token}, it never expires.`],
    ["backticks", (token: string) => `run it with \`${token}\``],
    ["a table", (token: string) => `| deploy | ${token} |`],
    ["JSON", (token: string) => JSON.stringify({ value: token })],
    ["JSON in JSON", (token: string) => JSON.stringify(JSON.stringify({ a: `\n${token}` }))],
    ["YAML", (token: string) => `  value: ${token} # of bob`],
    ["TOML", (token: string) => `value = '${token}'`],
    ["a shell", (token: string) => `export VALUE=${token};`],
    ["a query", (token: string) => `https://x.org/a?value=${encodeURIComponent(token)}&b=1`],
    ["an encoded URL", (token: string) => `next=%2Fa%3Fvalue%3D${token}%26b`],
    ["a name with an underscore", (token: string) => `VALUE_${token}`],
    ["parentheses", (token: string) => `(${token})`],
    ["a link", (token: string) => `[token](https://x.org/${token})`],
    ["Markdown with escapes", (token: string) => token.replaceAll("_", String.raw`\_`)],
    ["full-width characters", (token: string) => `${token.slice(0, 8)}${wide(token.slice(8))}`],
    ["invisible characters", (token: string) => Array.from(token).join("\u200B")],
    ["soft hyphens and joiners", (token: string) => token.replace("_", "_\u00AD\u2060\uFE0F")],
    ["a text with a byte order mark", (token: string) => `\uFEFF${token}`],
  ] as const)("findSecrets finds a token in %s", async ([, write]) => {
    const token = ["gh", "p_", "w7RkT2mZq9LxV4nB8cYd3Fh6Jp0SgAeU5tXi"].join("");
    expect(await findSecrets(write(token))).toMatchObject([{ kind: "GitHub token", line: 1 }]);
  });

  it("findSecrets reports findings in the order of the text, and overlapping ones once", async () => {
    const token = TOKENS.find(({ kind }) => kind === "GitHub token")?.value ?? "";
    const text = `password: hunter2hunter2\nPASSWORD="${token}"\nhttps://me:${token}@github.com`;
    const findings = await findSecrets(text);
    expect(findings.map(({ kind, line }) => [kind, line])).toEqual([
      ["password", 1],
      ["GitHub token", 2],
      ["GitHub token", 3],
    ]);
  });

  it("findSecrets never reports the value of a secret", async () => {
    for (const { text, value } of SHAPES) {
      const reported = JSON.stringify(await findSecrets(text));
      expect(reported).not.toContain(value);
      expect(reported).not.toContain(value.slice(0, 8));
    }
  });

  it("findSecrets cannot be turned off by the text that it reads", async () => {
    const text = `<!-- secretlint-disable -->\nglpat-${"Ab3".repeat(8)} // secretlint-disable-line`;
    expect(await findSecrets(text)).toMatchObject([{ kind: "GitLab token", line: 2 }]);
  });

  it("findSecrets ignores the example keys of the AWS documentation", async () => {
    const text = "AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    expect(await findSecrets(text)).toEqual([]);
  });
});

function wide(text: string): string {
  return text.replaceAll(/[!-~]/g, (character) =>
    String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0),
  );
}
