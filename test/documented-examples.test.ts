import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { childEnvironment } from "./support/child-environment.ts";
import { fencedBlocks, type FencedBlock } from "./support/markdown-blocks.ts";
import { hasTool } from "./support/optional-tool.ts";
import { startPostgres, type PostgresServer } from "./support/postgres-server.ts";
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
  /** The text block between this example and the next one, if any. */
  readonly output: string | undefined;
}

const readmeExamples: readonly Example[] = (await Promise.all(packages.map(examplesOf))).flat();

/** The `@example` blocks of JSDoc comments. Each must run; its output is not checked. */
const jsdocExamples: readonly Example[] = packages.flatMap(jsdocExamplesOf);

/** Examples that need a network, so they are only compiled. The folders of examples/ run the same code. */
const pages: readonly Example[] = (
  await Promise.all(["docs/integrations.md", "docs/stores.md"].map(pageExamples))
).flat();

let postgres: PostgresServer | undefined;
const hasPostgres = await hasTool("postgres", async () => {
  postgres = await startPostgres();
});
afterAll(async () => postgres?.stop());

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
  // Third-party packages that the examples import.
  for (const name of ["ai", "@ai-sdk", "@anthropic-ai", "@modelcontextprotocol"]) {
    const installed = join(root, "packages/tools-builtin/node_modules", name);
    await symlink(installed, join(project, "node_modules", name));
  }
  for (const [example, name] of Object.entries(SDKS)) {
    const installed = join(root, "examples", example, "node_modules", name);
    await symlink(installed, join(project, "node_modules", name));
  }
  for (const { file, code } of [...readmeExamples, ...jsdocExamples, ...pages])
    await writeFile(join(project, file), code);
});

/** SDKs that only an example installs. */
const SDKS = { langgraph: "@langchain", mastra: "@mastra", "openai-agents": "@openai" };

const STRICT_CONSUMER = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: "nodenext",
    target: "es2023",
    lib: ["es2023"],
    types: ["node"],
    // The packaging tests check the declarations.
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["*.ts"],
};

describe("documented examples", () => {
  it("finds an example in the README of every package", () => {
    const titles = readmeExamples.map(({ title }) => title);
    for (const { manifest } of packages) {
      expect(titles).toContainEqual(expect.stringContaining(manifest.name));
    }
  });

  it("finds examples on the integrations page and in the JSDoc of the main functions", () => {
    expect(pages.length).toBeGreaterThanOrEqual(4);
    expect(jsdocExamples.length).toBeGreaterThanOrEqual(packages.length);
  });

  it("compiles every documented example in a strict project", async () => {
    // The error contains the output of the compiler.
    const compiling = run(tool("tsc"), ["-p", "tsconfig.json"], { cwd: project });
    const { stdout } = await compiling.catch((error: { readonly stdout: string }) => error);
    expect(stdout).toBe("");
  });

  it.for(readmeExamples)("prints the documented output of $title", async (example, { skip }) => {
    const { file, code, output } = example;
    skip(code.includes("DATABASE_URL") && !hasPostgres);
    const env = { ...childEnvironment(home), DATABASE_URL: postgres?.url };
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: project, env });
    expect(stderr).toBe("");
    expect(withoutTokenCounts(showAsHome(stdout, { home, shown: "/home/me" }))).toBe(
      withoutTokenCounts(output ?? ""),
    );
  });
});

describe("JSDoc examples", () => {
  let errors: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const results = join(home, "errors.json");
    const runner = join(root, "test/support/run-examples.mjs");
    const files = jsdocExamples.map(({ file }) => file);
    const env = childEnvironment(home);
    await run(process.execPath, [runner, results, ...files], { cwd: project, env });
    errors = JSON.parse(await readFile(results, "utf8")) as typeof errors;
  }, 60_000);

  it.for(jsdocExamples)("runs the JSDoc example $title without an error", ({ file }) => {
    expect(errors[file]).toBe("");
  });
});

function jsdocExamplesOf({ directory }: WorkspacePackage): readonly Example[] {
  const sources = join(root, directory, "src");
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const text = readFileSync(join(sources, file), "utf8");
      return [...text.matchAll(/^ \* @example\n((?: \*.*\n)*?)(?= \* @| \*\/)/gm)].map((match) => {
        const line = text.slice(0, match.index).split("\n").length;
        const code = (match[1] ?? "").replaceAll(/^ \* ?/gm, "").replaceAll(/^```.*$/gm, "");
        const path = `${directory}/src/${file}`;
        return {
          title: `${path}:${line}`,
          file: `${path.replaceAll("/", "-").replace(/\.ts$/, "")}-${line}.ts`,
          code,
          output: undefined,
        };
      });
    });
}

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
