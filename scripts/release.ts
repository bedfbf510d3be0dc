// `pnpm release`: builds and publishes the versioned packages. `--dry-run` shows what would be published.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { releasedPackages } from "./changesets/released-packages.ts";
import { finish, root, run } from "./workspace.mjs";

interface Release {
  readonly name: string;
  readonly type: string;
  readonly oldVersion: string;
  readonly newVersion: string;
}

// Without the cache, so that nothing from an earlier build is published.
await run("turbo", ["run", "build", "--force", "--output-logs=errors-only"]);
if (process.argv.includes("--dry-run")) await showPlan();
else await run("changeset", ["publish"]);

async function showPlan(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "caliban-release-"));
  try {
    const releases = await plannedReleases(join(scratch, "plan.json"));
    for (const { name, directory, version, isPrivate } of releasedPackages()) {
      if (isPrivate) continue;
      const release = releases.find((found) => found.name === name);
      const change =
        release === undefined
          ? `stays at ${version}`
          : `${release.oldVersion} → ${release.newVersion} (${release.type})`;
      console.log(`${name}: ${change}, ${await describeTarball(directory, scratch)}`);
    }
    console.log(
      "Nothing was published. `pnpm version-packages` applies the versions, `pnpm release` publishes them.",
    );
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function plannedReleases(file: string): Promise<readonly Release[]> {
  const { code, output } = await finish("changeset", ["status", `--output=${file}`]);
  if (code !== 0) throw new Error(`changeset status failed:\n${output}`);
  const plan = JSON.parse(readFileSync(file, "utf8")) as { readonly releases: readonly Release[] };
  return plan.releases.filter(({ type }) => type !== "none");
}

async function describeTarball(directory: string, scratch: string): Promise<string> {
  const args = ["--dir", join(root, directory), "pack", "--json", "--pack-destination", scratch];
  const { code, output } = await finish("pnpm", args);
  if (code !== 0) throw new Error(`packing ${directory} failed:\n${output}`);
  const { filename, files } = JSON.parse(output.slice(output.indexOf("{"))) as {
    readonly filename: string;
    readonly files: readonly unknown[];
  };
  const kilobytes = (
    readFileSync(join(scratch, filename.split(/[\\/]/).at(-1) ?? "")).length / 1024
  ).toFixed(1);
  return `${files.length} files, ${kilobytes} KiB packed`;
}
