import { type Dirent, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { lstatIfExists } from "@caliban/common/node";
import { isPackageManifest } from "../../protection/package-scripts.ts";
import { isProtectedEntry } from "../../protection/protected-names.ts";
import type { DirectoryLister, DirectoryListing } from "../protection/directory-lister.ts";
import { readManifest } from "../protection/package-protection.ts";

/** What the protected names in writable directories were at one moment. */
export interface ProtectedEntries {
  /** The kind of each entry with a protected name, and where a link leads, by real path. */
  readonly entries: ReadonlyMap<string, ProtectedEntry>;
  /** The text of each `package.json`, by real path. */
  readonly manifests: ReadonlyMap<string, string>;
  /** False if there are more directories than were searched. */
  readonly isComplete: boolean;
}

interface ProtectedEntry {
  readonly kind: "file" | "directory" | "link";
  /** The target of a link. */
  readonly target?: string | undefined;
}

interface ProtectedSearch {
  /** Real paths. */
  readonly roots: readonly string[];
  /** Paths that are protected by where they are. */
  readonly controls: readonly string[];
}

/** Finds everything with a protected name below the roots. Links are not followed. */
export type FindProtectedEntries = (search: ProtectedSearch) => ProtectedEntries;

/** Limits the time before and after a command. The directories nearest to the root come first. */
const MAX_DIRECTORIES = 20_000;
const NEVER_SEARCHED: ReadonlySet<string> = new Set(["node_modules"]);

/** Creates a search that does little where nothing has changed, because it runs before and after every command. */
export function createProtectedSearch({ list }: DirectoryLister): FindProtectedEntries {
  const sorted = new WeakMap<DirectoryListing, SortedDirectory>();
  const sort: SortDirectory = (directory) => {
    const listing = list(directory);
    const known = sorted.get(listing);
    if (known !== undefined) return known;
    const result = sortEntries(directory, listing.entries);
    sorted.set(listing, result);
    return result;
  };
  return ({ roots, controls }) => {
    const { found, manifests, isComplete } = walk(roots, sort);
    return {
      entries: new Map([...controls, ...found].flatMap(describeEntry)),
      manifests: new Map(manifests.map((path) => [path, readManifest(path) ?? ""])),
      isComplete,
    };
  };
}

/** The entries of a directory that matter, as paths. */
interface SortedDirectory {
  readonly protected: readonly string[];
  readonly manifests: readonly string[];
  readonly directories: readonly string[];
}

type SortDirectory = (directory: string) => SortedDirectory;

function sortEntries(directory: string, entries: readonly Dirent[]): SortedDirectory {
  const parent = basename(directory);
  const isProtected = ({ name }: Dirent): boolean => isProtectedEntry(`${parent}/${name}`);
  const others = entries.filter((entry) => !isProtected(entry));
  const paths = (some: readonly Dirent[]): readonly string[] =>
    some.map(({ name }) => join(directory, name));
  return {
    protected: paths(entries.filter(isProtected)),
    manifests: paths(
      others.filter((entry) => isPackageManifest(entry.name) && !entry.isDirectory()),
    ),
    directories: paths(
      others.filter((entry) => entry.isDirectory() && !NEVER_SEARCHED.has(entry.name)),
    ),
  };
}

interface Walked {
  readonly found: readonly string[];
  readonly manifests: readonly string[];
  readonly isComplete: boolean;
}

/** Visits directories breadth first. */
function walk(roots: readonly string[], sort: SortDirectory): Walked {
  const [found, manifests, queue]: [string[], string[], string[]] = [[], [], [...roots]];
  for (const [count, directory] of queue.entries()) {
    if (count === MAX_DIRECTORIES) return { found, manifests, isComplete: false };
    const entries = sort(directory);
    for (const path of entries.protected) found.push(path);
    for (const path of entries.manifests) manifests.push(path);
    for (const path of entries.directories) queue.push(path);
  }
  return { found, manifests, isComplete: true };
}

function describeEntry(path: string): readonly (readonly [string, ProtectedEntry])[] {
  const stats = lstatIfExists(path);
  if (stats === undefined) return [];
  if (stats.isSymbolicLink()) return [[path, { kind: "link", target: readlinkSync(path) }]];
  return [[path, { kind: stats.isDirectory() ? "directory" : "file" }]];
}
