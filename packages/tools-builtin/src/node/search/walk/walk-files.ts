import { type Dirent, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { errorCode } from "@caliban/common/node";
import { type IgnoreChain, loadIgnoreChain, type IgnoreOptions } from "./ignore-files.ts";
import { SKIPPED_DIRECTORIES } from "../engine/search-request.ts";

/** Where to walk. */
export interface WalkInput extends IgnoreOptions {
  /** A real directory. */
  readonly directory: string;
  /** Directory whose ignore files count first, down to this one. */
  readonly top: string;
  /** Asked now and then. */
  readonly isOver: () => boolean;
}

interface Pending {
  readonly name: string;
  /** Only of a directory. */
  readonly enter?: () => Promise<IgnoreChain>;
}

const ENTRIES_PER_BREATH = 1_000;

/**
 * Walks in the order of the names, and follows no link.
 *
 * @yields the regular files that Git would not leave out, by their paths below the directory, with `/`
 */
export async function* walkFiles(input: WalkInput): AsyncGenerator<string> {
  const { directory, isOver } = input;
  const pending: Pending[] = [{ name: "", enter: () => chainOf(input) }];
  for (let count = 1; !isOver(); count++) {
    const next = pending.pop();
    if (next === undefined) return;
    // oxlint-disable-next-line no-await-in-loop -- others get their turn
    if (count % ENTRIES_PER_BREATH === 0) await setImmediate();
    if (next.enter === undefined) {
      yield next.name;
      continue;
    }
    const chain = await next.enter(); // oxlint-disable-line no-await-in-loop -- one after the other, in order
    for (const entry of entriesOf(join(directory, next.name), chain).toReversed()) {
      pending.push(pendingOf(entry, next.name, chain));
    }
  }
}

async function chainOf({ directory, top, ...reading }: WalkInput): Promise<IgnoreChain> {
  let chain = await loadIgnoreChain(top, reading);
  const way = relative(top, directory);
  for (const name of way === "" ? [] : way.split(sep)) {
    chain = await chain.below(name); // oxlint-disable-line no-await-in-loop -- each knows the next
  }
  return chain;
}

function pendingOf(entry: Dirent, parent: string, chain: IgnoreChain): Pending {
  const name = parent === "" ? entry.name : `${parent}/${entry.name}`;
  return entry.isDirectory() ? { name, enter: () => chain.below(entry.name) } : { name };
}

function entriesOf(path: string, chain: IgnoreChain): readonly Dirent[] {
  return readDirectory(path)
    .filter((entry) => isWalked(entry, chain))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function isWalked(entry: Dirent, chain: IgnoreChain): boolean {
  if (!entry.isFile() && !entry.isDirectory()) return false;
  return (
    !SKIPPED_DIRECTORIES.includes(entry.name) && !chain.isIgnored(entry.name, entry.isDirectory())
  );
}

/** What went away or cannot be read has nothing in it. */
function readDirectory(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
