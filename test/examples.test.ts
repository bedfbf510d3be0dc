import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { EXAMPLES, withoutKey } from "./support/examples.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const run = promisify(execFile);

it("there is an example for each way into another agent, and the page names it", () => {
  expect(EXAMPLES.map(({ name }) => name).toSorted()).toEqual([
    "ai-sdk",
    "anthropic-memory-tool",
    "no-sdk",
    "pipeline",
  ]);
  const page = readFileSync(join(root, "docs/integrations.md"), "utf8");
  for (const { name } of EXAMPLES) expect(page).toContain(`](../examples/${name}`);
});

describe.for(EXAMPLES)("the example $name", ({ directory, manifest, readme, main, output }) => {
  it("prints what its README says", async () => {
    const { stdout, stderr } = await run(process.execPath, ["main.ts"], {
      cwd: directory,
      env: withoutKey(await temporaryDirectory()),
    });
    expect({ stdout, stderr }).toEqual({ stdout: output, stderr: "" });
  });

  it("is short, and never published", () => {
    expect(main.split("\n").length).toBeLessThanOrEqual(81);
    expect(readme.split("\n").length).toBeLessThanOrEqual(40);
    expect(manifest.private).toBe(true);
  });

  it("names everything it imports, as somebody outside of the workspace can install it", () => {
    const imported = [...main.matchAll(/from "((?:@[\w-]+\/)?[\w-]+)[^"]*"/g)].map(
      ([, name = ""]) => name,
    );
    const packages = new Set(imported.filter((name) => !["node", "ai/test"].includes(name)));
    expect(Object.keys(manifest.dependencies).toSorted()).toEqual([...packages].toSorted());
    expect(Object.values(manifest.dependencies).join(" ")).not.toMatch(/workspace:|link:|file:/);
  });
});
