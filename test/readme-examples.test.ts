import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { fencedBlocks, type FencedBlock } from "./support/markdown-blocks.ts";
import { showAsHome, withoutTokenCounts } from "./support/show-as-home.ts";
import { temporaryDirectoryOfFile } from "./support/temporary-directory.ts";
import { tool } from "./support/workspace.ts";
import { gitDirectory, writeFiles } from "./support/write-files.ts";
import { root } from "../scripts/workspace.mjs";
import { publishedPackages, type WorkspacePackage } from "../scripts/workspace-packages.ts";

const run = promisify(execFile);
const packages = publishedPackages().filter(({ manifest }) => manifest.bin === undefined);

interface Example {
  readonly title: string;
  readonly file: string;
  readonly code: string;
  /** The text block between this example and the next one, when there is one. */
  readonly output: string | undefined;
}

const examples: readonly Example[] = (await Promise.all(packages.map(examplesOf))).flat();

/** Pages whose examples use what is not there: they compile, and the examples of the repository run the same. */
const pages: readonly Example[] = (
  await Promise.all(["docs/integrations.md"].map(pageExamples))
).flat();

const home = await temporaryDirectoryOfFile();
const project = join(home, "app");

beforeAll(async () => {
  await writeFiles(home, gitDirectory("app"));
  await mkdir(join(project, "node_modules/@caliban"), { recursive: true });
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  await writeFile(join(project, "CLAUDE.md"), "Use pnpm.\n");
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(STRICT_CONSUMER));
  await symlink(join(root, "node_modules/@types"), join(project, "node_modules/@types"));
  for (const { directory, manifest } of packages) {
    await symlink(join(root, directory), join(project, "node_modules", manifest.name));
  }
  // What the examples use besides: installed with the package that shows it.
  for (const name of ["ai", "@ai-sdk", "@anthropic-ai", "@modelcontextprotocol"]) {
    const installed = join(root, "packages/tools-builtin/node_modules", name);
    await symlink(installed, join(project, "node_modules", name));
  }
  for (const { file, code } of [...examples, ...pages]) await writeFile(join(project, file), code);
});

const STRICT_CONSUMER = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: "nodenext",
    target: "es2023",
    lib: ["es2023"],
    types: ["node"],
    noEmit: true,
  },
  include: ["*.ts"],
};

describe("README examples", () => {
  it("are there for every package", () => {
    const titles = examples.map(({ title }) => title);
    for (const { manifest } of packages) {
      expect(titles).toContainEqual(expect.stringContaining(manifest.name));
    }
  });

  it("are there on the page about other agents", () => {
    expect(pages.length).toBeGreaterThanOrEqual(4);
  });

  it("compile in a strict project", async () => {
    // A failure carries what the compiler said.
    const compiling = run(tool("tsc"), ["-p", "tsconfig.json"], { cwd: project });
    const { stdout } = await compiling.catch((error: { readonly stdout: string }) => error);
    // What others declare is theirs to mend: the declarations of `ai` are not as strict as this project.
    const ours = stdout.split("\n").filter((line) => /^\S/.test(line) && !line.includes(".pnpm/"));
    expect(ours).toEqual([]);
  });

  it.for(examples)("$title runs and prints what it says", async ({ file, output }) => {
    const env = { HOME: home, PATH: process.env["PATH"] };
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: project, env });
    expect(stderr).toBe("");
    expect(withoutTokenCounts(showAsHome(stdout, { home, shown: "/home/me" }))).toBe(
      withoutTokenCounts(output ?? ""),
    );
  });
});

async function examplesOf({ directory, manifest }: WorkspacePackage): Promise<readonly Example[]> {
  const path = `${directory}/README.md`;
  return await examplesIn(path, {
    title: `${manifest.name} README`,
    name: manifest.name.replace("@caliban/", ""),
  });
}

async function pageExamples(path: string): Promise<readonly Example[]> {
  return await examplesIn(path, { title: path, name: basename(path, ".md") });
}

async function examplesIn(
  path: string,
  { title, name }: { readonly title: string; readonly name: string },
): Promise<readonly Example[]> {
  const blocks = fencedBlocks(await readFile(join(root, path), "utf8"));
  return blocks.flatMap((block, index) => {
    if (block.language !== "ts") return [];
    return {
      title: `${title} line ${block.line}`,
      file: `${name}-${block.line}.ts`,
      code: block.code,
      output: outputAfter(blocks, index),
    };
  });
}

function outputAfter(blocks: readonly FencedBlock[], index: number): string | undefined {
  const next = blocks[index + 1];
  return next?.language === "text" ? next.code : undefined;
}
