import { type Dirent, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSymlink, lstatIfExists, statIfExists } from "@caliban/common/node";
import { isPackageManifest } from "../../protection/package-scripts.ts";
import { gitControls, isProtectedEntry } from "../../protection/protected-names.ts";
import { isWithin } from "../../sandbox/sandbox-policy.ts";
import type { DirectoryLister, DirectoryListing } from "../protection/directory-lister.ts";
import { readManifest } from "../protection/package-protection.ts";
import { readSmallFile } from "../protection/small-file.ts";

/** What the protected names in writable directories were at one moment. */
export interface ProtectedEntries {
  /** The kind of each entry with a protected name, and where a link leads, by real path. */
  readonly entries: ReadonlyMap<string, ProtectedEntry>;
  /** The text of each `package.json`, by real path. */
  readonly manifests: ReadonlyMap<string, string>;
  /** The steps of each rebase in progress, by path. */
  readonly rebaseSteps: ReadonlyMap<string, string>;
  /** Directories that cannot be listed, or that contain one whose name is not valid UTF-8. */
  readonly unsearchable: readonly string[];
  /** False if there are more directories than were searched, or unsearchable ones. */
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
  /** Paths that are protected by where they are. Real as far as they existed when they were found. */
  readonly controls: readonly string[];
  readonly rebaseSteps: readonly string[];
  /** Limits the time. The directories nearest to the root come first. */
  readonly maxDirectories: number;
}

/** Finds everything with a protected name below the roots. Links are not followed. */
export type FindProtectedEntries = (search: ProtectedSearch) => ProtectedEntries;

const MAX_STEPS_BYTES = 1_048_576;
const NEVER_SEARCHED: ReadonlySet<string> = new Set(["node_modules"]);

/** Creates a search that does little where nothing has changed, because it runs before and after every command. */
export function createProtectedSearch({ list }: DirectoryLister): FindProtectedEntries {
  const sorted = new WeakMap<DirectoryListing, SortedDirectory>();
  const sort: SortDirectory = (directory) => {
    const listing = list(directory);
    const known = sorted.get(listing);
    if (known !== undefined) return known;
    const result = sortEntries(directory, listing.entries);
    // What cannot be listed looks like any other empty directory.
    if (listing.entries.length > 0) sorted.set(listing, result);
    return result;
  };
  return ({ roots, controls, rebaseSteps, maxDirectories }) => {
    const { found, manifests, unsearchable, isComplete } = walk(roots, sort, maxDirectories);
    const located = controls.map((path) => firstLink(roots, path) ?? path);
    return {
      entries: new Map([...located, ...found].flatMap(describeEntry)),
      manifests: new Map(manifests.map((path) => [path, readManifest(path) ?? ""])),
      rebaseSteps: new Map(rebaseSteps.map((path) => [path, readSmallFile(path, MAX_STEPS_BYTES)])),
      unsearchable,
      isComplete: isComplete && unsearchable.length === 0,
    };
  };
}

/** The entries of a directory that matter, as paths. */
interface SortedDirectory {
  readonly protected: readonly string[];
  readonly manifests: readonly string[];
  readonly directories: readonly string[];
  readonly isSearchable: boolean;
}

type SortDirectory = (directory: string) => SortedDirectory;

function sortEntries(directory: string, entries: readonly Dirent[]): SortedDirectory {
  const parent = basename(directory);
  const controls = gitControls(entries.map(({ name }) => name));
  const isProtected = ({ name }: Dirent): boolean =>
    isProtectedEntry(`${parent}/${name}`) || controls.has(name);
  const others = entries.filter((entry) => !isProtected(entry));
  const paths = (some: readonly Dirent[]): readonly string[] =>
    some.map(({ name }) => join(directory, name));
  const directories = others.filter(
    (entry) => entry.isDirectory() && !NEVER_SEARCHED.has(entry.name),
  );
  return {
    protected: paths(entries.filter(isProtected)),
    manifests: paths(
      others.filter((entry) => isPackageManifest(entry.name) && !entry.isDirectory()),
    ),
    directories: paths(directories),
    isSearchable:
      entries.length > 0
        ? !paths(directories.filter(({ name }) => name.includes("\uFFFD"))).some(isMissing)
        : isListable(directory),
  };
}

/** The length of a path from which on Linux refuses it. */
const MAX_PATH_BYTES = 4_096;
const OWNER_MAY_LIST = 0o400;

/** Directories of other users do not matter: a command cannot change them, either. */
function isListable(directory: string): boolean {
  if (Buffer.byteLength(directory) >= MAX_PATH_BYTES) return false;
  const mode = statIfExists(directory)?.mode ?? OWNER_MAY_LIST;
  return (mode & OWNER_MAY_LIST) !== 0;
}

/** A name that is not valid UTF-8 is listed with replacement characters, and does not exist under that name. */
function isMissing(path: string): boolean {
  return lstatIfExists(path) === undefined;
}

interface Walked {
  readonly found: readonly string[];
  readonly manifests: readonly string[];
  readonly unsearchable: readonly string[];
  readonly isComplete: boolean;
}

/** Visits directories breadth first. */
function walk(roots: readonly string[], sort: SortDirectory, maxDirectories: number): Walked {
  const [found, manifests, unsearchable]: [string[], string[], string[]] = [[], [], []];
  const queue = [...roots];
  for (const [count, directory] of queue.entries()) {
    if (count >= maxDirectories) return { found, manifests, unsearchable, isComplete: false };
    const entries = sort(directory);
    if (!entries.isSearchable) unsearchable.push(directory);
    for (const path of entries.protected) found.push(path);
    for (const path of entries.manifests) manifests.push(path);
    for (const path of entries.directories) queue.push(path);
  }
  return { found, manifests, unsearchable, isComplete: true };
}

/** A link above a path that had none is new, and decides what is there: it is what has to be undone. */
function firstLink(roots: readonly string[], path: string): string | undefined {
  const root = roots.find((each) => each !== path && isWithin(each, path));
  if (root === undefined) return undefined;
  let link: string | undefined;
  for (let above = dirname(path); isWithin(root, above) && above !== root; above = dirname(above)) {
    if (isSymlink(above)) link = above;
  }
  return link;
}

function describeEntry(path: string): readonly (readonly [string, ProtectedEntry])[] {
  const stats = lstatIfExists(path);
  if (stats === undefined) return [];
  if (stats.isSymbolicLink()) return [[path, { kind: "link", target: readlinkSync(path) }]];
  return [[path, { kind: stats.isDirectory() ? "directory" : "file" }]];
}
