import { type Dirent, readlinkSync } from "node:fs";
import { join } from "node:path";
import { listEntries, lstatIfExists } from "@caliban/common/node";
import { isPackageManifest } from "../../protection/package-scripts.ts";
import { isProtectedEntry } from "../../protection/protected-names.ts";
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

export interface ProtectedSearch {
  /** Real paths. */
  readonly roots: readonly string[];
  /** Paths that are protected by where they are. */
  readonly controls: readonly string[];
}

/** Limits the time before and after a command. The directories nearest to the root come first. */
const MAX_DIRECTORIES = 20_000;
const NEVER_SEARCHED: ReadonlySet<string> = new Set(["node_modules"]);

/** Finds everything with a protected name below the roots. Links are not followed. */
export function findProtectedEntries({ roots, controls }: ProtectedSearch): ProtectedEntries {
  const entries = new Map<string, ProtectedEntry>();
  const manifests = new Map<string, string>();
  const add = (path: string): void => {
    const entry = describeEntry(path);
    if (entry !== undefined) entries.set(path, entry);
  };
  for (const path of controls) add(path);
  const isComplete = walk(roots, {
    onProtected: add,
    onManifest: (path) => void manifests.set(path, readManifest(path) ?? ""),
  });
  return { entries, manifests, isComplete };
}

interface Visitor {
  readonly onProtected: (path: string) => void;
  readonly onManifest: (path: string) => void;
}

/** Visits directories breadth first. Returns false if there are too many. */
function walk(roots: readonly string[], { onProtected, onManifest }: Visitor): boolean {
  const queue = roots.map((root) => ({ root, below: "" }));
  for (const [count, { root, below }] of queue.entries()) {
    if (count === MAX_DIRECTORIES) return false;
    for (const entry of listEntries(join(root, below))) {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      if (isProtectedEntry(name)) onProtected(join(root, name));
      else if (isSearched(entry)) queue.push({ root, below: name });
      else if (isPackageManifest(name)) onManifest(join(root, name));
    }
  }
  return true;
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && !NEVER_SEARCHED.has(entry.name);
}

function describeEntry(path: string): ProtectedEntry | undefined {
  const stats = lstatIfExists(path);
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return { kind: "link", target: readlinkSync(path) };
  return { kind: stats.isDirectory() ? "directory" : "file" };
}
