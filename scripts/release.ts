// `pnpm release`: builds, packs and publishes the packages whose version is not on npm yet.
// `--dry-run` lists what would be published and what blocks it. `--out DIRECTORY` keeps the tarballs.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findBlockers, type ReleaseCandidate } from "./release/find-blockers.ts";
import { packPackages, type Tarball } from "./release/pack-packages.ts";
import { renderPlan } from "./release/render-plan.ts";
import { finish, root } from "./workspace.mjs";
import { publishedPackages, repositoryAddress } from "./workspace-packages.ts";

/** A package in a plan of changesets. */
interface PlannedPublish {
  readonly kind: "publish" | "tag-only";
  readonly name: string;
}

type PublishPlan = readonly (readonly PlannedPublish[])[];

const { values: flags } = parseArgs({
  options: { "dry-run": { type: "boolean", default: false }, out: { type: "string" } },
});
const packages = publishedPackages();
const pending = readdirSync(join(root, ".changeset")).filter(
  (name) => name.endsWith(".md") && name !== "README.md",
);
const scratch = mkdtempSync(join(tmpdir(), "caliban-release-"));
const out = flags.out === undefined ? scratch : resolve(flags.out);
try {
  // Without the cache, so that nothing from an earlier build is published.
  await show("turbo", ["run", "build", "--force", "--output-logs=errors-only"]);
  process.exitCode = await release();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function release(): Promise<number> {
  const nextVersions = await versionsAfterChangesets();
  const candidates = packages.map((source) => describeCandidate(source, nextVersions));
  const plan = await publishPlan(candidates);
  const planned = new Set(plan.flat().map(({ name }) => name));
  const published = candidates.filter(
    ({ name, version, nextVersion }) => version !== nextVersion || planned.has(name),
  );
  const names = new Set(published.map(({ name }) => name));
  const repository = repositoryAddress();
  const tarballs = await packPackages({
    packages: packages.filter(({ manifest }) => names.has(manifest.name)),
    destination: out,
    versions: nextVersions,
    repository,
  });
  if (tarballs.length === 0) {
    console.log("Nothing to publish: npm has every version.");
    return 0;
  }
  const blockers = findBlockers({
    repository,
    pendingChangesets: pending.length,
    uncommitted: await uncommittedPaths(),
    candidates: published,
  });
  console.log(renderPlan({ tarballs, candidates: published, blockers }));
  if (blockers.length > 0) return 1;
  if (!flags["dry-run"]) await publish(plan, tarballs);
  return 0;
}

/** The versions that `changeset version` would give, which are the present ones if no changeset is pending. */
async function versionsAfterChangesets(): Promise<ReadonlyMap<string, string>> {
  const present = packages.map(({ manifest }) => [manifest.name, manifest.version] as const);
  if (pending.length === 0) return new Map(present);
  const { releases } = await changesetPlan<{
    readonly releases: readonly { readonly name: string; readonly newVersion: string }[];
  }>("status");
  return new Map([
    ...present,
    ...releases.map(({ name, newVersion }) => [name, newVersion] as const),
  ]);
}

/** Asks the registry which versions it does not have, unless every version is a new one. */
async function publishPlan(candidates: readonly ReleaseCandidate[]): Promise<PublishPlan> {
  if (candidates.every(({ version, nextVersion }) => version !== nextVersion)) return [];
  return (await changesetPlan<{ readonly plan: PublishPlan }>("publish-plan")).plan;
}

async function changesetPlan<Plan>(command: "status" | "publish-plan"): Promise<Plan> {
  const file = join(scratch, `${command}.json`);
  const { code, output } = await finish("changeset", [command, `--output=${file}`]);
  if (code !== 0) throw new Error(`changeset ${command} failed:\n${output}`);
  return JSON.parse(readFileSync(file, "utf8")) as Plan;
}

function describeCandidate(
  { directory, manifest }: (typeof packages)[number],
  nextVersions: ReadonlyMap<string, string>,
): ReleaseCandidate {
  const { name, version } = manifest;
  const changelog = join(root, directory, "CHANGELOG.md");
  return {
    name,
    directory,
    version,
    nextVersion: nextVersions.get(name) ?? version,
    changelog: existsSync(changelog) ? readFileSync(changelog, "utf8") : undefined,
  };
}

async function uncommittedPaths(): Promise<readonly string[]> {
  const { code, output } = await finish("git", ["status", "--porcelain"]);
  if (code !== 0) throw new Error(`git status failed:\n${output}`);
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice("XY ".length));
}

/** Publishes exactly the tarballs that were listed. Changesets also tags the versions. */
async function publish(plan: PublishPlan, tarballs: readonly Tarball[]): Promise<void> {
  const packed = plan.map((group) =>
    group.map((entry) => {
      const tarball = tarballs.find(({ name }) => name === entry.name);
      return tarball === undefined ? entry : { ...entry, tarball: describeTarball(tarball) };
    }),
  );
  writeFileSync(join(out, "publish-plan.json"), JSON.stringify({ version: 1, plan: packed }));
  await show("changeset", ["publish", "--from-pack-dir", out]);
}

function describeTarball({ path }: Tarball): { readonly path: string; readonly integrity: string } {
  const hash = createHash("sha256").update(readFileSync(path)).digest("base64");
  return { path: `packages/${basename(path)}`, integrity: `sha256-${hash}` };
}

/** Runs a command and shows its output. */
async function show(command: string, args: readonly string[]): Promise<void> {
  const { code } = await finish(command, args, "stderr");
  if (code !== 0)
    throw new Error(`\`${[command, ...args].join(" ")}\` failed with exit code ${code}`);
}
