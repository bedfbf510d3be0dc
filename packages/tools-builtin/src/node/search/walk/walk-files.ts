import type { Dirent } from "node:fs";
import { join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { listHeldEntries } from "@caliban/common/node";
import { type IgnoreChain, loadIgnoreChain, type IgnoreOptions } from "./ignore-files.ts";

/** Where to walk, and when to stop. */
export interface WalkInput extends IgnoreOptions {
  /** A real directory. */
  readonly directory: string;
  /** The directory with the outermost ignore files that apply. */
  readonly top: string;
  /** Called regularly. */
  readonly isOver: () => boolean;
}

interface Pending {
  readonly name: string;
  /** Set for a directory only. */
  readonly enter?: () => Promise<IgnoreChain>;
}

const ENTRIES_PER_YIELD = 1_000;

/** Directories that are never searched unless they are named. */
export const SKIPPED_DIRECTORIES: readonly string[] = [".git", "node_modules"];

/**
 * Walks a directory in the order of the names, without following links.
 *
 * @yields the regular files that Git does not ignore, by their paths below the directory, with `/`
 */
export async function* walkFiles(input: WalkInput): AsyncGenerator<string> {
  const { directory, isOver } = input;
  const pending: Pending[] = [{ name: "", enter: () => chainOf(input) }];
  for (let count = 1; !isOver(); count++) {
    const next = pending.pop();
    if (next === undefined) return;
    // Lets other work run.
    if (count % ENTRIES_PER_YIELD === 0) await setImmediate();
    if (next.enter === undefined) {
      yield next.name;
      continue;
    }
    const chain = await next.enter();
    for (const entry of walkedEntries(join(directory, next.name), chain).toReversed()) {
      pending.push(toPending(entry, next.name, chain));
    }
  }
}

async function chainOf({ directory, top, ...options }: WalkInput): Promise<IgnoreChain> {
  let chain = await loadIgnoreChain(top, options);
  const below = relative(top, directory);
  for (const name of below === "" ? [] : below.split(sep)) {
    chain = await chain.below(name);
  }
  return chain;
}

function toPending(entry: Dirent, parent: string, chain: IgnoreChain): Pending {
  const name = parent === "" ? entry.name : `${parent}/${entry.name}`;
  return entry.isDirectory() ? { name, enter: () => chain.below(entry.name) } : { name };
}

function walkedEntries(path: string, chain: IgnoreChain): readonly Dirent[] {
  // A directory that was replaced by a link since its parent was listed has none.
  return listHeldEntries(path)
    .filter((entry) => isWalked(entry, chain))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function isWalked(entry: Dirent, chain: IgnoreChain): boolean {
  if (!entry.isFile() && !entry.isDirectory()) return false;
  return (
    !SKIPPED_DIRECTORIES.includes(entry.name) && !chain.isIgnored(entry.name, entry.isDirectory())
  );
}
