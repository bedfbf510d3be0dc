import { execFile } from "node:child_process";
import { cp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryDirectoryOfFile } from "./support/temporary-directory.ts";
import { root } from "../scripts/workspace.mjs";
import { tool } from "./support/workspace.ts";

/** Fixtures for rules about size, which would be nothing but padding in the repository. */
const GENERATED: Readonly<Record<string, string>> = {
  "packages/sample/src/long-file.ts": `// breaks: eslint(max-lines)\n${lines(251, (n) => `export const a${n} = ${n};`)}`,
  "packages/sample/src/long-function.ts": `// breaks: eslint(max-lines-per-function)\nexport function long(log: (n: number) => void): void {\n${lines(61, (n) => `  log(${n});`)}}\n`,
};

interface Finding {
  readonly code: string;
  readonly filename: string;
}

let fixtures: ReadonlyMap<string, string>;
let findings: readonly Finding[];

const directory = await temporaryDirectoryOfFile();

beforeAll(async () => {
  await copyFixtures();
  fixtures = await expectedRules();
  findings = await lint();
}, 60_000);

it("reports every must-fail file with the rule that the file names", () => {
  const unreported = [...fixtures].filter(
    ([file, rule]) => !findings.some((found) => found.filename === file && found.code === rule),
  );
  expect(unreported).toEqual([]);
});

describe("the configuration", () => {
  it("finds a must-fail file for every rule of the configuration", async () => {
    const text = await readFile(join(root, ".oxlintrc.json"), "utf8");
    const config = JSON.parse(text) as RuleSet & { readonly overrides: readonly RuleSet[] };
    const rules = [config, ...config.overrides].flatMap(({ rules: set }) => Object.entries(set));
    const turnedOn = rules
      .filter(([, level]) => level !== "off")
      .map(([name]) => reportedName(name));
    expect(new Set(fixtures.values())).toEqual(new Set(turnedOn));
  });
});

interface RuleSet {
  readonly rules: Readonly<Record<string, unknown>>;
}

async function copyFixtures(): Promise<void> {
  await cp(join(root, "test/must-fail"), directory, { recursive: true });
  for (const name of [".oxlintrc.json", "tsconfig.json", "tsconfig.base.json", "scripts/lint"]) {
    await cp(join(root, name), join(directory, name), { recursive: true });
  }
  for (const [name, text] of Object.entries(GENERATED))
    await writeFile(join(directory, name), text);
  await symlink(join(root, "node_modules"), join(directory, "node_modules"));
}

async function expectedRules(): Promise<ReadonlyMap<string, string>> {
  const expected = new Map<string, string>();
  for (const group of ["packages", "apps"]) {
    for (const name of await readdir(join(directory, group), { recursive: true })) {
      if (!name.endsWith(".ts")) continue;
      const file = `${group}/${name}`;
      const [, rule] =
        /^\/\/ breaks: (.+)/.exec(await readFile(join(directory, file), "utf8")) ?? [];
      if (rule !== undefined) expected.set(file, rule);
    }
  }
  return expected;
}

async function lint(): Promise<readonly Finding[]> {
  // oxlint exits with 1 because it finds something, so the error is ignored.
  const output = await new Promise<string>((resolve) => {
    execFile(
      tool("oxlint"),
      ["--format=json", "packages", "apps"],
      { cwd: directory },
      (_error, stdout) => resolve(stdout),
    );
  });
  return (JSON.parse(output) as { readonly diagnostics: readonly Finding[] }).diagnostics;
}

/** `no-console` in the configuration is `eslint(no-console)` in a report. */
function reportedName(name: string): string {
  const [plugin, rule] = name.includes("/") ? name.split("/") : ["eslint", name];
  return `${plugin}(${rule})`;
}

function lines(count: number, line: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => `${line(n)}\n`).join("");
}
