import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { beforeAll, describe, expect, it } from "vitest";
import { publishedPackages } from "../../scripts/workspace-packages.ts";
import { EXAMPLES, withoutKey } from "../support/examples.ts";
import { temporaryDirectoryOfFile } from "../support/temporary-directory.ts";
import { entriesOf, tool } from "../support/workspace.ts";
import { nodeBinary, npm, SUPPORTED, TOO_OLD } from "./runtimes.ts";
import { packAll, type Tarball, tarballBytes, withDependencies } from "./tarballs.ts";

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

/** The errors of the compiler in a project that imports every entry. Errors in third-party declarations are not ours to fix. */
async function typeErrors(
  project: string,
  input: {
    readonly specifiers: readonly string[];
    readonly resolution: "nodenext" | "bundler";
  },
): Promise<readonly string[]> {
  const { specifiers, resolution } = input;
  await writeFile(
    join(project, "consumer.ts"),
    specifiers
      .map(
        (from, n) =>
          `import * as m${n} from "${from}";\nexport const keys${n}: string[] = Object.keys(m${n});\n`,
      )
      .join(""),
  );
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
  it(`packs only the build, the README and the license of ${name}`, () => {
    const unexpected = tarballOf(name).files.filter(
      (file) =>
        !/^(?:dist\/|skills\/|prompts\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/.test(
          file,
        ),
    );
    expect(unexpected).toEqual([]);
    expect(tarballOf(name).files).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "package.json"]),
    );
  });

  it(`keeps the workspace out of the manifest of ${name}`, async () => {
    const manifest = JSON.parse(
      await readFile(join(projectOf(name), "node_modules", name, "package.json"), "utf8"),
    ) as { readonly exports: unknown; readonly dependencies?: unknown };
    expect(JSON.stringify([manifest.exports, manifest.dependencies])).not.toMatch(
      /caliban:source|workspace:/,
    );
    expect(manifest).toMatchObject({
      license: "MIT",
      type: "module",
      engines: { node: ">=22.19" },
    });
  });

  it(`finds no problems in ${name} with publint`, async () => {
    const tarball = (await tarballBytes(tarballOf(name))).buffer;
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
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
    const errors = await typeErrors(projectOf(name), { specifiers, resolution: "nodenext" });
    expect(errors).toEqual([]);
  });
});

describe("the examples and all packages, installed by npm into an empty project", () => {
  it("type-checks all packages in a strict project with bundler resolution", async () => {
    const specifiers = libraries.flatMap((library) => library.specifiers);
    const errors = await typeErrors(exampleProject, { specifiers, resolution: "bundler" });
    expect(errors).toEqual([]);
  });

  it.for(
    EXAMPLES.flatMap(({ name, output }) => SUPPORTED.map((version) => ({ name, version, output }))),
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
