import { existsSync, statSync } from "node:fs";
import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { finish, root } from "../workspace.mjs";
import type { WorkspacePackage } from "../workspace-packages.ts";
import { packedManifest } from "./packed-manifest.ts";
import { packedReadme } from "./packed-readme.ts";

interface PackedFile {
  /** Relative to the package, with slashes. */
  readonly path: string;
  readonly bytes: number;
}

/** A package as it is published. */
export interface Tarball {
  readonly name: string;
  readonly version: string;
  readonly path: string;
  readonly bytes: number;
  /** The folder that was packed. Every package manager packs the same files from it. */
  readonly folder: string;
  readonly files: readonly PackedFile[];
  readonly source: WorkspacePackage;
}

export interface PackInput {
  readonly packages: readonly WorkspacePackage[];
  /** Receives `staged/<package>` and `packages/<package>.tgz`. */
  readonly destination: string;
  readonly versions: ReadonlyMap<string, string>;
  readonly repository: string;
}

/** Packs built packages, as a release does. */
export async function packPackages({ packages, ...input }: PackInput): Promise<readonly Tarball[]> {
  await mkdir(join(input.destination, "packages"), { recursive: true });
  return await Promise.all(
    packages.map(async (source) => {
      const folder = await stage(source, input);
      return await pack(source, folder, input);
    }),
  );
}

type StageInput = Omit<PackInput, "packages">;

/** Writes a folder with exactly the files to publish, so that packing does not change the workspace. */
async function stage(source: WorkspacePackage, input: StageInput): Promise<string> {
  const { directory, manifest } = source;
  const folder = join(input.destination, "staged", basename(directory));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of [...(manifest.files ?? []), "LICENSE", "CHANGELOG.md"]) {
    const from = join(root, directory, name);
    if (existsSync(from)) await cp(from, join(folder, name), { recursive: true });
  }
  const packed = packedManifest({ ...input, manifest, directory });
  await writeFile(join(folder, "package.json"), `${JSON.stringify(packed, undefined, 2)}\n`);
  const readme = packedReadme({
    ...input,
    directory,
    text: await readFile(join(root, directory, "README.md"), "utf8"),
    isDirectory: (path) => statSync(join(root, path)).isDirectory(),
  });
  await writeFile(join(folder, "README.md"), readme);
  return folder;
}

async function pack(
  source: WorkspacePackage,
  folder: string,
  { destination, versions }: StageInput,
): Promise<Tarball> {
  const { name } = source.manifest;
  const version = versions.get(name) ?? "";
  const path = join(
    destination,
    "packages",
    `${name.replace("@", "").replace("/", "-")}-${version}.tgz`,
  );
  const { code, output } = await finish("pnpm", ["--dir", folder, "pack", "--json", "--out", path]);
  if (code !== 0) throw new Error(`packing ${name} failed:\n${output}`);
  const { files } = JSON.parse(output.slice(output.indexOf("{"))) as Pick<Tarball, "files">;
  const sizes = files.map(async (file) => ({
    path: file.path,
    bytes: (await stat(join(folder, file.path))).size,
  }));
  const { size: bytes } = await stat(path);
  return { name, version, path, bytes, folder, files: await Promise.all(sizes), source };
}
