import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { findBlockers, type ReleaseState } from "../scripts/release/find-blockers.ts";
import { packedManifest } from "../scripts/release/packed-manifest.ts";
import { packedReadme } from "../scripts/release/packed-readme.ts";
import { renderPlan } from "../scripts/release/render-plan.ts";
import { root } from "../scripts/workspace.mjs";
import { publishedPackages, workspacePackages } from "../scripts/workspace-packages.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import { tool } from "./support/workspace.ts";

const run = promisify(execFile);
const repository = "https://github.com/example/caliban";

describe("the published README", () => {
  it.for([
    ["[docs](../../docs/a.md)", `[docs](${repository}/blob/HEAD/docs/a.md)`],
    ["[part](../../docs/a.md#part)", `[part](${repository}/blob/HEAD/docs/a.md#part)`],
    ["[`code`](src/a.ts)", `[\`code\`](${repository}/blob/HEAD/packages/x/src/a.ts)`],
    ["[folder](../../docs)", `[folder](${repository}/tree/HEAD/docs)`],
    ["![image](a.svg)", `![image](${repository}/raw/HEAD/packages/x/a.svg)`],
    ["[here](#part) [web](https://a.b) [mail](mailto:a@b.c)", "the same"],
    ["`[code](a.md)`", "the same"],
    ["```md\n[code](a.md)\n```", "the same"],
  ] as const)("turns %j into %j", ([text, expected]) => {
    const isDirectory = (path: string): boolean => path === "docs";
    expect(packedReadme({ text, directory: "packages/x", repository, isDirectory })).toBe(
      expected === "the same" ? text : expected,
    );
  });
});

describe("the published manifest", () => {
  const manifest = {
    name: "@caliban/x",
    version: "0.0.0",
    files: ["dist"],
    scripts: { build: "tsdown" },
    exports: { ".": { "caliban:source": "./src/index.ts", default: "./dist/index.js" } },
    dependencies: { "@caliban/y": "workspace:^", zod: "^4.0.0" },
    devDependencies: { "@caliban/common": "workspace:*" },
  };
  const versions = new Map([
    ["@caliban/x", "0.1.0"],
    ["@caliban/y", "0.2.0"],
  ]);

  it("contains versions and the address of the repository, and nothing of the workspace", () => {
    expect(packedManifest({ manifest, directory: "packages/x", versions, repository })).toEqual({
      name: "@caliban/x",
      version: "0.1.0",
      homepage: `${repository}/tree/HEAD/packages/x#readme`,
      bugs: `${repository}/issues`,
      repository: { type: "git", url: `git+${repository}.git`, directory: "packages/x" },
      files: ["dist", "CHANGELOG.md"],
      exports: { ".": { default: "./dist/index.js" } },
      dependencies: { "@caliban/y": "^0.2.0", zod: "^4.0.0" },
    });
  });

  it("rejects an exact range, which would install a second copy", () => {
    const exact = { ...manifest, dependencies: { "@caliban/y": "workspace:*" } };
    expect(() =>
      packedManifest({ manifest: exact, directory: "packages/x", versions, repository }),
    ).toThrow('@caliban/y: the range must be "workspace:^", not "workspace:*"');
  });
});

describe("what blocks a release", () => {
  const candidate = {
    name: "@caliban/x",
    directory: "packages/x",
    version: "0.1.0",
    nextVersion: "0.1.0",
    changelog: "# @caliban/x\n\n## 0.1.0\n\nText\n",
  };
  const ready: ReleaseState = {
    repository,
    pendingChangesets: 0,
    uncommitted: [],
    candidates: [candidate],
  };

  it.for<[string, Partial<ReleaseState>, readonly RegExp[]]>([
    ["nothing", {}, []],
    [
      "the placeholder",
      { repository: "https://github.com/OWNER/caliban" },
      [/^package\.json: "repository" is the placeholder/],
    ],
    ["a path", { repository: "../caliban" }, [/^package\.json: "repository" is not valid/]],
    ["an address for git", { repository: `${repository}.git` }, [/is not valid/]],
    [
      "a pending changeset",
      { pendingChangesets: 1 },
      [/^1 changeset is not applied\. Run: pnpm version-packages$/],
    ],
    [
      "a missing changelog",
      { candidates: [{ ...candidate, changelog: undefined }] },
      [/^packages\/x\/CHANGELOG\.md: no section "## 0\.1\.0"/],
    ],
    [
      "an old changelog",
      { candidates: [{ ...candidate, changelog: "## 0.1.0-1\n" }] },
      [/no section/],
    ],
    [
      "no changelog that a changeset will write",
      { candidates: [{ ...candidate, nextVersion: "0.2.0", changelog: undefined }] },
      [],
    ],
    [
      "uncommitted files",
      { uncommitted: ["a", "b", "c", "d"] },
      [/^uncommitted changes: a, b, c and 1 more\. Commit/],
    ],
  ])("reports %s", ([, change, expected]) => {
    expect(findBlockers({ ...ready, ...change })).toEqual(
      expected.map((pattern) => expect.stringMatching(pattern) as string),
    );
  });

  it("lists the packages, versions, files and sizes that would be published", () => {
    const files = [
      { path: "dist/index.js", bytes: 2048 },
      { path: "LICENSE", bytes: 1024 },
    ];
    const plan = renderPlan({
      tarballs: [{ name: "@caliban/x", version: "0.1.0", bytes: 1536, files }],
      candidates: [{ name: "@caliban/x", version: "0.0.0" }],
      blockers: ["first", "second"],
    });
    expect(plan).toMatchInlineSnapshot(`
      "@caliban/x 0.1.0 (now 0.0.0): 2 files, 1.5 KiB packed, 3.0 KiB unpacked
            2.0 KiB  dist/index.js
            1.0 KiB  LICENSE

      Publishing is blocked:
      - first
      - second"
    `);
  });
});

describe("packages to publish", () => {
  it.for(publishedPackages())(
    "finds the license of the repository in $directory, so that every tool packs it",
    async ({ directory }) => {
      const [own, license] = await Promise.all(
        [join(root, directory, "LICENSE"), join(root, "LICENSE")].map((file) =>
          readFile(file, "utf8"),
        ),
      );
      expect(own).toBe(license);
    },
  );

  it.for(publishedPackages())(
    "stops every tool that packs $directory in place",
    ({ manifest: { scripts } }) => {
      expect(scripts).toMatchObject({ prepack: "node ../../scripts/prepack.mjs" });
    },
  );

  const unreleased = publishedPackages().filter(({ manifest }) => manifest.version === "0.0.0");

  it.runIf(unreleased.length > 0)(
    "gives every package that was never released version 0.1.0 and a changelog",
    async () => {
      const copy = await copyManifests();
      await run(tool("changeset"), ["version"], { cwd: copy });
      const released = await Promise.all(
        unreleased.map(async ({ directory, manifest: { name } }) => {
          const read = (file: string): Promise<string> =>
            readFile(join(copy, directory, file), "utf8");
          const { version } = JSON.parse(await read("package.json")) as {
            readonly version: string;
          };
          const [, heading] = /^(## .*)/m.exec(await read("CHANGELOG.md")) ?? [];
          return [name, version, heading];
        }),
      );
      expect(released).toEqual(
        unreleased.map(({ manifest }) => [manifest.name, "0.1.0", "## 0.1.0"]),
      );
    },
  );

  /** What changesets reads, in a repository of its own. */
  async function copyManifests(): Promise<string> {
    const copy = await temporaryDirectory();
    for (const name of [".changeset", "package.json", "pnpm-workspace.yaml"])
      await cp(join(root, name), join(copy, name), { recursive: true });
    for (const { directory } of workspacePackages()) {
      await mkdir(join(copy, directory), { recursive: true });
      await cp(join(root, directory, "package.json"), join(copy, directory, "package.json"));
    }
    // Only what writes the changelog: an install in the copy must not reach the modules of the workspace.
    await mkdir(join(copy, "node_modules"));
    await symlink(
      join(root, "node_modules/@changesets"),
      join(copy, "node_modules/@changesets"),
      "junction",
    );
    await writeFile(join(copy, ".gitignore"), "node_modules\n");
    const git = async (...args: readonly string[]): Promise<unknown> =>
      await run("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
        cwd: copy,
      });
    await git("init", "--quiet", "--initial-branch=main");
    await git("add", "--all");
    await git("commit", "--quiet", "--message=copy");
    return copy;
  }
});

describe("the release workflow", () => {
  it("lets only the job that publishes sign as this repository, and requires provenance", async () => {
    const workflow = await readFile(join(root, ".github/workflows/release.yml"), "utf8");
    const jobs = workflow.split(/^  (?=\w+:$)/m);
    const signing = jobs.filter((job) => job.includes("id-token: write"));
    expect(signing.map((job) => job.split(":")[0])).toEqual(["publish"]);
    expect(signing[0]).toContain('PNPM_CONFIG_PROVENANCE: "true"');
    expect(workflow).not.toContain("NPM_TOKEN");
  });
});
