import { readFile } from "node:fs/promises";
import { packPackages, type Tarball } from "../../scripts/release/pack-packages.ts";
import { publishedPackages, repositoryAddress } from "../../scripts/workspace-packages.ts";

/** Packs every published package into a directory, as a release would. */
export async function packAll(destination: string): Promise<ReadonlyMap<string, Tarball>> {
  return await packVersions(destination, new Map());
}

/** The same with other version numbers. Only packages that get one are packed, unless none does. */
export async function packVersions(
  destination: string,
  others: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Tarball>> {
  const all = publishedPackages();
  const present = all.map(({ manifest }) => [manifest.name, manifest.version] as const);
  const tarballs = await packPackages({
    packages: others.size === 0 ? all : all.filter(({ manifest }) => others.has(manifest.name)),
    destination,
    versions: new Map([...present, ...others]),
    repository: repositoryAddress(),
  });
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
