import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { beforeAll, describe, expect, it } from "vitest";
import type { Tarball } from "../../scripts/release/pack-packages.ts";
import { root } from "../../scripts/workspace.mjs";
import { publishedPackages, repositoryAddress } from "../../scripts/workspace-packages.ts";
import { EXAMPLES, withoutKey } from "../support/examples.ts";
import { temporaryDirectoryOfFile } from "../support/temporary-directory.ts";
import { entriesOf, tool } from "../support/workspace.ts";
import { nodeBinary, npm, SUPPORTED, TOO_OLD } from "./runtimes.ts";
import { packAll, tarballBytes, withDependencies } from "./tarballs.ts";
import { installTwoCopies, OTHER_VERSION, PROGRAM, PROGRAM_OUTPUT } from "./two-copies.ts";

const run = promisify(execFile);
const packages = publishedPackages().map((found) => ({
  name: found.manifest.name,
  specifiers: entriesOf(found).map(({ specifier }) => specifier),
}));
const libraries = packages.filter(({ specifiers }) => specifiers.length > 0);

let tarballs: ReadonlyMap<string, Tarball>;
let projects: ReadonlyMap<string, string>;
let nodes: ReadonlyMap<string, string>;

const scratch = await temporaryDirectoryOfFile();
const exampleProject = join(scratch, "examples");

beforeAll(async () => {
  // Downloads run next to everything else, because they wait for the network.
  const downloads = byName([...SUPPORTED, TOO_OLD], nodeBinary);
  tarballs = await packAll(scratch);
  const installs = byName(
    packages.map(({ name }) => name),
    install,
  );
  [projects, nodes] = await Promise.all([installs, downloads, installExamples()]);
});

async function byName<Value>(
  names: readonly string[],
  load: (name: string) => Promise<Value>,
): Promise<ReadonlyMap<string, Value>> {
  return new Map(await Promise.all(names.map(async (name) => [name, await load(name)] as const)));
}

/** Installs one package into an empty project, as a user who has only npm would. */
async function install(name: string): Promise<string> {
  const project = join(scratch, "consumers", name.replace("/", "-"));
  await createProject(project);
  const ours = withDependencies(name, tarballs).map(({ path }) => path);
  await npm(["install", ...ours, ...peersOf(tarballOf(name))], project);
  return project;
}

async function installExamples(): Promise<void> {
  await createProject(exampleProject);
  for (const { name, main } of EXAMPLES) {
    await mkdir(join(exampleProject, name), { recursive: true });
    await writeFile(join(exampleProject, name, "main.ts"), main);
  }
  const dependencies = EXAMPLES.flatMap(({ manifest }) => Object.entries(manifest.dependencies));
  const ours = libraries.map(({ name }) => tarballOf(name).path);
  const others = dependencies.filter(([name]) => !tarballs.has(name));
  const specifiers = [...ours, ...others.map(([name, range]) => `${name}@${range}`)];
  await npm(["install", ...new Set(specifiers)], exampleProject);
}

async function createProject(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "package.json"), '{ "private": true, "type": "module" }\n');
}

/** Optional companions of a package, which a user who imports every entry has installed. */
function peersOf({ source }: Tarball): readonly string[] {
  return Object.entries(source.manifest.peerDependencies ?? {}).map(
    ([peer, range]) => `${peer}@${range}`,
  );
}

/** A program that imports every entry. */
function importAll(specifiers: readonly string[]): string {
  return specifiers
    .map(
      (from, n) =>
        `import * as m${n} from "${from}";\nexport const keys${n}: string[] = Object.keys(m${n});\n`,
    )
    .join("");
}

/** The errors of the compiler in a project. Errors in third-party declarations are not ours to fix. */
async function typeErrors(
  project: string,
  input: { readonly program: string; readonly resolution: "nodenext" | "bundler" },
): Promise<readonly string[]> {
  const { program, resolution } = input;
  await writeFile(join(project, "consumer.ts"), program);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    module: resolution === "bundler" ? "esnext" : "nodenext",
    moduleResolution: resolution,
    target: "es2023",
    lib: ["es2023"],
    types: [],
    noEmit: true,
  };
  const config = join(project, "tsconfig.json");
  await writeFile(config, JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  // The error contains the output of the compiler.
  const compiling = run(tool("tsc"), ["-p", config]);
  const { stdout } = await compiling.catch((error: { readonly stdout: string }) => error);
  return stdout
    .split("\n")
    .filter((line) => /consumer\.ts\(|[\\/]@caliban[\\/](?!.*node_modules)/.test(line));
}

const projectOf = (name: string): string => projects.get(name) ?? "";
const tarballOf = (name: string): Tarball => {
  const tarball = tarballs.get(name);
  if (tarball === undefined) throw new Error(`${name} was not packed`);
  return tarball;
};

describe.for(packages)("the tarball of $name", ({ name }) => {
  it(`packs only the build, the README, the license and the changelog of ${name}`, () => {
    const files = tarballOf(name).files.map(({ path }) => path);
    const expected =
      /^(?:dist\/.*(?<!\.map)|skills\/.*|prompts\/.*|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
  });

  it(`names no source map in the code of ${name}`, async () => {
    const { folder, files } = tarballOf(name);
    const code = files.filter(({ path }) => /\.[jt]s$/.test(path));
    const texts = await Promise.all(code.map(({ path }) => readFile(join(folder, path), "utf8")));
    expect(code.filter((_, n) => /^\/\/# sourceMappingURL=/m.test(texts[n] ?? ""))).toEqual([]);
  });

  it(`keeps the workspace out of the manifest of ${name}`, async () => {
    const text = await readFile(
      join(projectOf(name), "node_modules", name, "package.json"),
      "utf8",
    );
    const manifest = JSON.parse(text) as { readonly dependencies?: Record<string, string> };
    expect(text).not.toMatch(/caliban:source|workspace:/);
    expect(Object.keys(manifest)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:scripts|devDependencies)$/)]),
    );
    expect(manifest).toMatchObject({
      license: "MIT",
      type: "module",
      engines: { node: ">=22.19" },
      homepage: expect.stringContaining(repositoryAddress()) as string,
      bugs: `${repositoryAddress()}/issues`,
      repository: { url: `git+${repositoryAddress()}.git` },
    });
    const exact = Object.entries(manifest.dependencies ?? {}).filter(
      ([other, range]) => tarballs.has(other) && !range.startsWith("^"),
    );
    expect(exact).toEqual([]);
  });

  it(`links to files of the repository in the README of ${name}`, async () => {
    const readme = await readFile(join(tarballOf(name).folder, "README.md"), "utf8");
    const prose = readme.replaceAll(/^ *```[\s\S]*?^ *```|`[^`\n]*`/gm, "");
    const targets = [...prose.matchAll(/\]\(([^)\s]+)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !/^(?:https:\/\/|#)/.test(target))).toEqual([]);
    const ours = targets.filter((target) => target.startsWith(repositoryAddress()));
    const dead = ours.filter((target) => {
      const [, path = "missing"] =
        /^\/(?:blob|tree|raw)\/HEAD\/([^#]+)/.exec(target.slice(repositoryAddress().length)) ?? [];
      return !existsSync(join(root, path));
    });
    expect(dead).toEqual([]);
  });

  it(`finds no problems in ${name} with publint`, async () => {
    const tarball = (await tarballBytes(tarballOf(name))).buffer;
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
  });
});

describe("packing with other tools", () => {
  it("packs the same files with npm", async () => {
    const folders = [...tarballs.values()].map(({ folder }) => folder);
    const output = await npm(["pack", "--dry-run", "--json", ...folders], scratch);
    const packed = Object.values(
      JSON.parse(output) as Record<string, { name: string; files: { path: string }[] }>,
    );
    const paths = (files: readonly { readonly path: string }[]): readonly string[] =>
      files.map(({ path }) => path).toSorted();
    expect(Object.fromEntries(packed.map(({ name, files }) => [name, paths(files)]))).toEqual(
      Object.fromEntries([...tarballs].map(([name, { files }]) => [name, paths(files)])),
    );
  });

  it("refuses to pack a package in its own folder, where the manifest is not the published one", async () => {
    await expect(
      npm(["pack", "--dry-run"], join(root, "packages/tools-builtin")),
    ).rejects.toMatchObject({
      stderr: expect.stringContaining("pnpm release --dry-run") as string,
    });
  });
});

describe.for(libraries)("$name, installed by npm into an empty project", ({ name, specifiers }) => {
  it(`finds the types of ${name} with every ESM resolution`, async () => {
    const analysis = await checkPackage(
      createPackageFromTarballData(await tarballBytes(tarballOf(name))),
    );
    // We publish ES modules only, so resolution from CommonJS and without `exports` does not count.
    const problems = "problems" in analysis ? analysis.problems : ["no types found"];
    const counted = problems.filter(
      (problem) =>
        typeof problem === "string" ||
        !("resolutionKind" in problem) ||
        !["node10", "node16-cjs"].includes(problem.resolutionKind),
    );
    expect(counted).toEqual([]);
  });

  it.for(SUPPORTED)(`imports ${name} on Node %s`, async (version) => {
    const file = join(projectOf(name), `import-${version}.mjs`);
    await writeFile(
      file,
      specifiers
        .map(
          (from, n) =>
            `import * as m${n} from "${from}";\nconsole.log(Object.keys(m${n}).length > 0);\n`,
        )
        .join(""),
    );
    const { stdout, stderr } = await run(nodes.get(version) ?? "", [file], { env: {} });
    expect({ stdout, stderr }).toEqual({
      stdout: "true\n".repeat(specifiers.length),
      stderr: "",
    });
  });

  it(`type-checks ${name} in a strict project with nodenext resolution`, async () => {
    const errors = await typeErrors(projectOf(name), {
      program: importAll(specifiers),
      resolution: "nodenext",
    });
    expect(errors).toEqual([]);
  });
});

describe("the examples and all packages, installed by npm into an empty project", () => {
  it("type-checks all packages in a strict project with bundler resolution", async () => {
    const specifiers = libraries.flatMap((library) => library.specifiers);
    const errors = await typeErrors(exampleProject, {
      program: importAll(specifiers),
      resolution: "bundler",
    });
    expect(errors).toEqual([]);
  });

  // examples.test.ts runs the one that needs a server.
  const runnable = EXAMPLES.filter(({ name }) => name !== "postgres");
  it.for(
    runnable.flatMap(({ name, output }) => SUPPORTED.map((version) => ({ name, version, output }))),
  )(
    "prints what the README of examples/$name shows on Node $version",
    async ({ name, version, output }) => {
      const { stdout, stderr } = await run(nodes.get(version) ?? "", ["main.ts"], {
        cwd: join(exampleProject, name),
        env: withoutKey(scratch),
      });
      expect({ stdout, stderr }).toEqual({ stdout: output, stderr: "" });
    },
  );
});

describe("two versions of @caliban/memory in one project", () => {
  const project = join(scratch, "two-copies");
  const copies = [
    join(project, "node_modules/@caliban/memory"),
    join(project, "node_modules/@caliban/tools-builtin/node_modules/@caliban/memory"),
  ] as const;

  beforeAll(async () => {
    await createProject(project);
    await installTwoCopies(project, tarballs);
  });

  it("installs two versions with two error classes", async () => {
    const [own, other] = await Promise.all(copies.map(loadCopy));
    expect([own?.version, other?.version]).toEqual([
      OTHER_VERSION,
      tarballOf("@caliban/memory").version,
    ]);
    expect(own?.MemoryError).not.toBe(other?.MemoryError);
  });

  it("accepts the stores of one version in the tools of the other version, in types", async () => {
    const errors = await typeErrors(project, { program: PROGRAM, resolution: "nodenext" });
    expect(errors).toEqual([]);
  });

  it("returns refusals of the stores of one version from the tools of the other version", async () => {
    await writeFile(join(project, "program.ts"), PROGRAM);
    const { stdout } = await run(nodes.get("24.21.0") ?? "", ["program.ts"], {
      cwd: project,
      env: {},
    });
    expect(stdout).toBe(PROGRAM_OUTPUT);
  });

  async function loadCopy(
    directory: string,
  ): Promise<{ readonly version: string; readonly MemoryError: unknown }> {
    const manifest = JSON.parse(await readFile(join(directory, "package.json"), "utf8")) as {
      readonly version: string;
    };
    const { MemoryError } = (await import(
      pathToFileURL(join(directory, "dist/index.js")).href
    )) as { readonly MemoryError: unknown };
    return { version: manifest.version, MemoryError };
  }
});

describe("the program, installed by npm into an empty project", () => {
  const bin = (): string => join(projectOf("caliban"), "node_modules/caliban/dist/bin.js");

  it.for(SUPPORTED)("shows memory with the installed program on Node %s", async (version) => {
    const home = await createHomeDirectory();
    const { stdout, stderr } = await run(nodes.get(version) ?? "", [bin(), "memory"], {
      cwd: home,
      env: { HOME: home },
    });
    expect(stderr).toBe("");
    expect(stdout).toContain("project  ~/CLAUDE.md (");
  });

  it.for(SUPPORTED)(
    "learns from past sessions on Node %s without further output",
    async (version) => {
      const home = await createHomeDirectory();
      const caliban = async (...args: readonly string[]) => {
        const options = { cwd: home, env: { HOME: home } };
        const running = run(nodes.get(version) ?? "", [bin(), ...args], options);
        // The program waits for input for a while if stdin stays open.
        running.child.stdin?.end();
        return await running;
      };
      await caliban("settings", "set", "memories.enabled", "true");
      await caliban("-p", "we use vitest for tests");
      const { stdout, stderr } = await caliban("memory", "rebuild", "--now", "--recent");
      expect(stderr.split("\n").filter((line) => !/^caliban: |^$/.test(line))).toEqual([]);
      expect(stdout).toContain("1 session");
      expect((await caliban("memory", "view")).stdout).toContain("we use vitest for tests");
    },
  );

  it("runs with npm exec", async () => {
    expect(await npm(["exec", "--", "caliban", "--version"], projectOf("caliban"))).toMatch(
      /^\d+\.\d+\.\d+\n$/,
    );
  });

  it(`reports the required version on Node ${TOO_OLD} and exits with 1`, async () => {
    const failure: unknown = await run(nodes.get(TOO_OLD) ?? "", [bin(), "memory"], {
      env: {},
    }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `caliban requires Node 22.19 or newer, but this is v${TOO_OLD}. Install a newer Node and try again.\n`,
    });
  });

  async function createHomeDirectory(): Promise<string> {
    const home = join(projectOf("caliban"), "home");
    await mkdir(home, { recursive: true });
    await writeFile(join(home, "CLAUDE.md"), "Use pnpm.\n");
    return home;
  }
});
