import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findSecretsByPattern } from "../../src/secrets/find-by-pattern.ts";
import { findSecrets } from "../../src/secrets/find-secrets.ts";
import { redactSecrets } from "../../src/secrets/redact-secrets.ts";
import { expandForm } from "./expand-form.ts";
import { ordinaryTexts } from "./ordinary-forms.ts";
import { ordinaryLines } from "./ordinary-lines.ts";
import { reviewedShapes } from "./reviewed-shapes.ts";
import { VENDOR_FORMS } from "./vendor-forms.ts";

const ROOT = new URL("../../../../", import.meta.url).pathname;
const OWN_FILES = [
  "{packages,apps}/*/{src,README.md}/**",
  "{packages,apps}/*/*.{md,json}",
  "{adrs,docs,scripts,.changeset}/**",
  "*.{md,json,yaml,ts}",
];

/** How a token is written down. */
const SURROUNDINGS: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => `VALUE=${value}`,
  (value) => `  value: "${value}",`,
  (value) => `Use \`${value}\` for this.`,
];

describe("corpora of secrets", () => {
  it("findSecrets finds each of the 60 shapes that a review found to be missed, and all of its value", async () => {
    const shapes = reviewedShapes(1);
    expect(shapes.length).toBeGreaterThanOrEqual(60);
    const missed: string[] = [];
    for (const { name, text, value } of shapes) {
      const document = `# Notes\n\n${text}\n\nThe end.\n`;
      if (!(await coversAll(document, value))) missed.push(name);
    }
    expect(missed).toEqual([]);
  });

  it("findSecrets finds the credentials of more than 200 vendors in their documented form", async () => {
    expect(VENDOR_FORMS.length).toBeGreaterThanOrEqual(200);
    const missed: string[] = [];
    for (const [at, [vendor, form]] of VENDOR_FORMS.entries()) {
      const { text, value } = expandForm(form, at);
      for (const write of text === value ? SURROUNDINGS : [(same: string) => same]) {
        if (!(await coversAll(write(text), value))) missed.push(`${vendor}: ${write("…")}`);
      }
    }
    expect(missed).toEqual([]);
  });

  it("redactSecrets leaves no part of a value that was encoded, split or wrapped", async () => {
    for (const { name, text, value } of reviewedShapes(2)) {
      const redacted = await redactSecrets(text);
      const kept = redacted.text.replaceAll(/\[secret removed: [^\]]*\]/g, "");
      const parts = value.split(/[\s"'>\\+]+/).filter((part) => part.length > 3);
      expect({ name, left: parts.filter((part) => kept.includes(part)) }).toEqual({
        name,
        left: [],
      });
    }
  });
});

describe("corpora without secrets", () => {
  it("findSecrets finds nothing in ordinary lines of many languages, alone or together", async () => {
    const lines = ordinaryLines();
    expect(lines.length).toBeGreaterThan(1_200);
    expect(await falseAlarms(lines)).toEqual([]);
    expect(await findSecrets(lines.join("\n"))).toEqual([]);
  });

  it("findSecrets finds nothing in hashes, ids, images, lock files and user interfaces", async () => {
    const texts = ordinaryTexts(12);
    expect(texts.join("\n").split("\n").length).toBeGreaterThan(1_300);
    expect(await falseAlarms(texts)).toEqual([]);
    expect(await findSecrets(texts.join("\n"))).toEqual([]);
  });

  it("findSecretsByPattern finds nothing in the sources, the docs and the lock file of this repository", async () => {
    const files = OWN_FILES.flatMap((pattern) =>
      globSync(pattern, { cwd: ROOT, exclude: ["**/node_modules/**", "**/dist/**"] }),
    ).filter((path) => /\.(?:ts|md|json|yaml|svg)$/.test(path));
    expect(files.length).toBeGreaterThan(500);
    for (const file of files) {
      const findings = await findSecretsByPattern(readFileSync(ROOT + file, "utf8"));
      expect({ file, findings }).toEqual({ file, findings: [] });
    }
  });
});

async function coversAll(text: string, value: string): Promise<boolean> {
  const start = text.indexOf(value);
  const findings = await findSecrets(text);
  return findings.some((found) => found.start <= start && found.end >= start + value.length);
}

async function falseAlarms(texts: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    texts.map(async (text) => ((await findSecrets(text)).length === 0 ? [] : [text])),
  );
  return found.flat();
}
