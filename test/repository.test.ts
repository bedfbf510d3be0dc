import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { workspacePackages } from "../scripts/workspace-packages.ts";

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
// The corpus is data of an older version, not documentation.
const markdown = tracked.filter(
  (file) => file.endsWith(".md") && !file.startsWith("test/corpus/data/"),
);

/** Which packages of the workspace each package may depend on. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "@caliban/common": [],
  "@caliban/memory": ["@caliban/common"],
  "@caliban/memory-git": ["@caliban/common", "@caliban/memory"],
  "@caliban/memory-postgres": ["@caliban/memory"],
  "@caliban/settings": ["@caliban/common"],
  "@caliban/agent-core": ["@caliban/common"],
  "@caliban/sessions": ["@caliban/common"],
  "@caliban/autonomous-memory": ["@caliban/common", "@caliban/sessions"],
  // Memory and tools are for tests only, which check the bundled skill against the code it describes.
  "@caliban/skills": ["@caliban/common", "@caliban/memory", "@caliban/tools-builtin"],
  "@caliban/tools-builtin": ["@caliban/agent-core", "@caliban/common", "@caliban/memory"],
  "@caliban/mcp": [
    "@caliban/agent-core",
    "@caliban/common",
    "@caliban/memory",
    "@caliban/tools-builtin",
  ],
  // Memory and tools are for tests only, which run the offline model against the real ones.
  "@caliban/providers": [
    "@caliban/agent-core",
    "@caliban/common",
    "@caliban/memory",
    "@caliban/tools-builtin",
  ],
  "@caliban/page": ["@caliban/common", "@caliban/memory"],
  "@caliban/tui": ["@caliban/agent-core", "@caliban/common"],
  caliban: [
    "@caliban/agent-core",
    "@caliban/autonomous-memory",
    "@caliban/common",
    "@caliban/mcp",
    "@caliban/memory",
    "@caliban/memory-git",
    "@caliban/memory-postgres",
    "@caliban/page",
    "@caliban/providers",
    "@caliban/sessions",
    "@caliban/settings",
    "@caliban/skills",
    "@caliban/tools-builtin",
    "@caliban/tui",
  ],
};

/** What all published packages require. */
const PACKAGES_NODE = ">=22.19";

describe("packages", () => {
  it.for(workspacePackages())(
    "lets $manifest.name depend only on packages it may import",
    ({ manifest }) => {
      const ours = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
        (name) => name in MAY_IMPORT,
      );
      expect(MAY_IMPORT).toHaveProperty([manifest.name]);
      expect(ours.toSorted()).toEqual(MAY_IMPORT[manifest.name]);
    },
  );

  it.for(workspacePackages().filter(({ manifest }) => manifest.private !== true))(
    "keeps the README of $directory within 120 lines",
    ({ directory }) => {
      expect(read(`${directory}/README.md`).split("\n").length).toBeLessThanOrEqual(120);
    },
  );

  it.for([".", ...workspacePackages().map(({ directory }) => directory)])(
    "names in the README of %s no other version of Node than its manifest",
    (directory) => {
      const readme = `${directory}/README.md`;
      if (!tracked.includes(readme.replace("./", ""))) return;
      const { engines } = JSON.parse(read(`${directory}/package.json`)) as {
        readonly engines: { readonly node: string };
      };
      const named = [...read(readme).matchAll(/Node (\d+\.\d+) or newer/g)].map(
        ([, version]) => `>=${version}`,
      );
      // The README of the repository names that of the packages, too.
      const allowed = directory === "." ? [engines.node, PACKAGES_NODE] : [engines.node];
      expect(named.filter((version) => !allowed.includes(version))).toEqual([]);
    },
  );
});

describe("documents", () => {
  it.for(markdown)("finds no dead links in %s", (file) => {
    // Code contains examples, not links.
    const prose = read(file).replaceAll(/^ *```[\s\S]*?^ *```|`[^`\n]*`/gm, "");
    const links = [...prose.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(
      ([, target = ""]) => target,
    );
    const dead = links.filter((target) => !existsSync(join(root, dirname(file), target)));
    expect(dead).toEqual([]);
  });

  it.for(tracked.filter((file) => /^adrs\/\d/.test(file)))(
    "finds all parts of a decision in %s, and lists it in the index",
    (file) => {
      const parts = [
        "## Context",
        "## Decision",
        "## Consequences",
        "Positive:",
        "Negative:",
        "Revisit if:",
      ];
      expect(parts.filter((part) => !read(file).includes(part))).toEqual([]);
      expect(read("adrs/README.md")).toContain(file.replace("adrs/", ""));
    },
  );

  it("lists every dependency in docs/architecture.md", () => {
    const page = read("docs/architecture.md");
    const names = [
      { manifest: JSON.parse(read("package.json")) as object },
      { manifest: JSON.parse(read("test/package.json")) as object },
      ...workspacePackages(),
    ].flatMap(({ manifest }) => {
      const { dependencies = {}, devDependencies = {} } = manifest as Record<string, object>;
      return Object.keys({ ...dependencies, ...devDependencies });
    });
    const unnamed = new Set(
      names.filter((name) => !/^@(?:caliban|types)\//.test(name) && !page.includes(`\`${name}\``)),
    );
    expect([...unnamed]).toEqual([]);
  });
});

describe("the top folder", () => {
  it("finds no entries in the top folder beyond this list", () => {
    const top = new Set(tracked.map((file) => file.split("/")[0] ?? ""));
    expect([...top].toSorted()).toEqual([
      ".changeset",
      ".ci",
      ".gitattributes",
      ".github",
      ".gitignore",
      ".oxfmtrc.json",
      ".oxlintrc.json",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "adrs",
      "apps",
      "bench",
      "docs",
      "examples",
      "knip.json",
      "package.json",
      "packages",
      "pnpm-lock.yaml",
      "pnpm-workspace.yaml",
      "scripts",
      "test",
      "tsconfig.base.json",
      "tsconfig.json",
      "tsconfig.test.json",
      "tsdown.config.ts",
      "turbo.json",
      "vitest.config.ts",
    ]);
  });
});
