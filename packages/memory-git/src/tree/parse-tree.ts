import { printable } from "../git/printable.ts";
import type { RefusedEntry } from "../team/changes.ts";

/** An entry of `git ls-tree -z`, and of `-z -l`, which adds the size. */
export interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  readonly oid: string;
  readonly bytes: number | undefined;
  /** `undefined` for a name that is not UTF-8. */
  readonly name: string | undefined;
  /** The name for messages. */
  readonly shown: string;
}

const ENTRY = /^(\d{6}) (\w+) ([0-9a-f]{40,64})(?: +(\d+|-))?\t([^]*)$/;
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The entries of a tree; `undefined` if the output is not a list of entries. */
export function parseTree(output: Uint8Array): readonly TreeEntry[] | undefined {
  const entries: TreeEntry[] = [];
  let from = 0;
  while (from < output.length) {
    const end = output.indexOf(0, from);
    if (end === -1) return undefined;
    const entry = parseEntry(output.subarray(from, end));
    if (entry === undefined) return undefined;
    entries.push(entry);
    from = end + 1;
  }
  return entries;
}

function parseEntry(line: Uint8Array): TreeEntry | undefined {
  const tab = line.indexOf(9);
  const head = new TextDecoder().decode(line.subarray(0, tab + 1));
  const [, mode, type, oid, size] = ENTRY.exec(head) ?? [];
  if (mode === undefined || type === undefined || oid === undefined) return undefined;
  const bytes = size === undefined || size === "-" ? undefined : Number(size);
  const name = line.subarray(tab + 1);
  const shown = printable(new TextDecoder().decode(name));
  return { mode, type, oid, bytes, name: decode(name), shown };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

export function refusal(path: string, code: RefusedEntry["code"], message: string): RefusedEntry {
  return { path: printable(path), code, message: printable(message, 500) };
}
