import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../scripts/workspace.mjs";
import { publishedPackages, type WorkspacePackage } from "../../scripts/workspace-packages.ts";
import { tool } from "../support/workspace.ts";

const run = promisify(execFile);

/** A package as it would be published. */
export interface Tarball {
  readonly name: string;
  readonly path: string;
  readonly files: readonly string[];
  readonly source: WorkspacePackage;
}

/** Packs every published package into a directory, as a release would. */
export async function packAll(destination: string): Promise<ReadonlyMap<string, Tarball>> {
  const tarballs = await Promise.all(
    publishedPackages().map((source) => pack(source, destination)),
  );
  return new Map(tarballs.map((tarball) => [tarball.name, tarball]));
}

/** Returns a tarball and those of our own packages that it depends on. */
export function withDependencies(
  name: string,
  all: ReadonlyMap<string, Tarball>,
): readonly Tarball[] {
  const tarball = all.get(name);
  if (tarball === undefined) return [];
  const needed = Object.keys(tarball.source.manifest.dependencies ?? {});
  return [...new Set([tarball, ...needed.flatMap((other) => withDependencies(other, all))])];
}

export async function tarballBytes({ path }: Tarball): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(path));
}

async function pack(source: WorkspacePackage, destination: string): Promise<Tarball> {
  const { stdout } = await run(
    tool("pnpm"),
    ["pack", "--json", "--pack-destination", destination],
    {
      cwd: join(root, source.directory),
      shell: process.platform === "win32",
    },
  );
  const { filename, files } = JSON.parse(stdout.slice(stdout.indexOf("{"))) as {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  };
  return {
    name: source.manifest.name,
    path: join(destination, basename(filename)),
    files: files.map(({ path }) => path),
    source,
  };
}
