// `pnpm changeset:check`: lists packages that changed without a changeset.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { missingChangesets, namesInChangeset } from "./changesets/missing-changesets.ts";
import { releasedPackages, type VersionedPackage } from "./changesets/released-packages.ts";
import { root } from "./workspace.mjs";

const packages = releasedPackages();
const base = branchBase();
const missing = missingChangesets(
  base === undefined
    ? {
        packages,
        changedFiles: packages.flatMap(changedSinceRelease),
        named: namedIn(pendingChangesets()),
      }
    : { packages, changedFiles: changedSince(base), named: namedIn(changesetsSince(base)) },
);
for (const { name, files } of missing) {
  const more = files.length > 3 ? ` and ${files.length - 3} more` : "";
  console.error(`${name} needs a changeset: ${files.slice(0, 3).join(", ")}${more} changed.`);
}
if (missing.length > 0) {
  console.error("Run `pnpm changeset` and describe in one sentence what changes for users.");
  process.exitCode = 1;
} else {
  console.log("Every package whose code changed has a changeset.");
}

/** Where this branch left main. `undefined` on main itself, which is compared with the last release. */
function branchBase(): string | undefined {
  if (git("rev-parse", "--verify", "--quiet", "HEAD") === undefined) return undefined;
  const branch = git("symbolic-ref", "--short", "--quiet", "HEAD");
  if (branch === "main") return undefined;
  const main = ["origin/main", "main"].find(
    (name) => git("rev-parse", "--verify", "--quiet", name) !== undefined,
  );
  const fork = main === undefined ? undefined : git("merge-base", "HEAD", main);
  const isCheckoutOfMain = branch === undefined && fork === git("rev-parse", "HEAD");
  return isCheckoutOfMain ? undefined : fork;
}

function changedSinceRelease({ name, version, directory }: VersionedPackage): readonly string[] {
  const tag = `${name}@${version}`;
  if (git("rev-parse", "--verify", "--quiet", `refs/tags/${tag}`) !== undefined) {
    return changedSince(tag).filter((file) => file.startsWith(`${directory}/`));
  }
  // Versioned but not published yet: the pending release contains everything.
  const changelog = join(root, directory, "CHANGELOG.md");
  if (existsSync(changelog) && readFileSync(changelog, "utf8").includes(`## ${version}\n`))
    return [];
  return lines(git("ls-files", "--", `${directory}/src`));
}

/** Includes uncommitted changes. */
function changedSince(revision: string): readonly string[] {
  return [
    ...lines(git("diff", "--name-only", revision)),
    ...lines(git("ls-files", "--others", "--exclude-standard")),
  ];
}

function changesetsSince(revision: string): readonly string[] {
  const changed = new Set(changedSince(revision));
  return pendingChangesets().filter((file) => changed.has(file));
}

function pendingChangesets(): readonly string[] {
  return readdirSync(join(root, ".changeset"))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => `.changeset/${name}`);
}

function namedIn(files: readonly string[]): ReadonlySet<string> {
  return new Set(
    files
      .filter((file) => existsSync(join(root, file)))
      .flatMap((file) => namesInChangeset(readFileSync(join(root, file), "utf8"))),
  );
}

/** `undefined` if git fails, which is an expected answer here. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}

function lines(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : text.split("\n");
}
