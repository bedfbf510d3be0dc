import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { EXAMPLES, withoutKey } from "./support/examples.ts";
import { hasTool } from "./support/optional-tool.ts";
import { startPostgres, type PostgresServer } from "./support/postgres-server.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const run = promisify(execFile);

let postgres: PostgresServer | undefined;
const hasPostgres = await hasTool("postgres", async () => {
  postgres = await startPostgres();
});
afterAll(async () => postgres?.stop());

it("links every example from the integrations page", () => {
  expect(EXAMPLES.map(({ name }) => name).toSorted()).toEqual([
    "ai-sdk",
    "anthropic-memory-tool",
    "langgraph",
    "mastra",
    "no-sdk",
    "openai-agents",
    "pipeline",
    "postgres",
    "sqlite-store",
  ]);
  const page = readFileSync(join(root, "docs/integrations.md"), "utf8");
  for (const { name } of EXAMPLES) expect(page).toContain(`](../examples/${name}`);
});

describe.for(EXAMPLES)(
  "the example $name",
  ({ name, directory, manifest, readme, main, output }) => {
    const isRunnable = name !== "postgres" || hasPostgres;
    it.runIf(isRunnable)(`prints what the README of examples/${name} shows`, async () => {
      const { stdout, stderr } = await run(process.execPath, ["main.ts"], {
        cwd: directory,
        env: { ...withoutKey(await temporaryDirectory()), DATABASE_URL: postgres?.url },
      });
      expect({ stdout, stderr }).toEqual({ stdout: output, stderr: "" });
    });

    it(`keeps examples/${name} short and private`, () => {
      expect(main.split("\n").length).toBeLessThanOrEqual(81);
      expect(readme.split("\n").length).toBeLessThanOrEqual(40);
      expect(manifest.private).toBe(true);
    });

    it(`declares every import of examples/${name} as a user would install it`, () => {
      const specifiers = [...main.matchAll(/from "((?:@[\w-]+\/)?[\w-]+)[^"]*"/g)].map(
        ([, imported = ""]) => imported,
      );
      const packages = new Set(
        specifiers.filter((specifier) => !["node", "ai/test"].includes(specifier)),
      );
      expect(Object.keys(manifest.dependencies).toSorted()).toEqual([...packages].toSorted());
      expect(Object.values(manifest.dependencies).join(" ")).not.toMatch(/workspace:|link:|file:/);
    });
  },
);
