import { expect, it } from "vitest";
import { findSecrets } from "../../src/secrets/index.ts";

// In parts, so that no scanner takes this file for a leak.
const TOKEN = ["ghp", "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"].join("_");

it("reports the kind, the line and the range of a secret, and never its value", async () => {
  const text = `First line.\nThe token is ${TOKEN}.\n`;
  const found = await findSecrets(text);
  expect(found).toMatchObject([{ kind: "GitHub token", line: 2 }]);
  expect(text.slice(found[0]?.start, found[0]?.end)).toBe(TOKEN);
  expect(JSON.stringify(found)).not.toContain(TOKEN);
});

it("finds nothing in ordinary text", async () => {
  expect(await findSecrets("Run `pnpm migrate` before `pnpm ship`.")).toEqual([]);
});
