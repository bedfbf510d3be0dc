import type { Change } from "@caliban/memory";
import { memoryIdOf, type VersionKey } from "./memory-id.ts";

/** What one change did to one memory. */
export interface VersionRecord extends VersionKey {
  readonly memoryId: string;
  readonly operation: "created" | "modified" | "deleted";
  /** The file after the change; `null` if it was removed, or erased from the history. */
  readonly text: string | null;
  readonly isErased: boolean;
  readonly record: Change;
}

/** What is known of a topic from the history. */
export interface Lineage {
  readonly memoryId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The change that wrote the current text. */
  readonly change: string;
  /** The SHA-256 of that text; `undefined` if it was erased. */
  readonly sha256: string | undefined;
}

/** Follows topics through their changes, also when they get another name. */
export interface Lineages {
  /** Takes the next change, and returns its versions. */
  readonly add: (change: Change) => readonly VersionRecord[];
  /** By the name of the topic. A removed topic keeps its id, in case it is created again. */
  readonly get: (slug: string) => Lineage | undefined;
  /** The present name of a memory. */
  readonly nameOf: (memoryId: string) => string | undefined;
  /** The id for a topic that the history does not know. */
  readonly idFor: (slug: string, change?: string) => string;
}

export function createLineages(sha256Hex: (text: string) => string): Lineages {
  const lineages = new Map<string, Lineage>();
  const names = new Map<string, string>();
  const idFor = (slug: string, change?: string): string => {
    const id = memoryIdOf(slug);
    const owner = names.get(id);
    // A memory that was renamed keeps the id of its first name.
    return owner === undefined || owner === slug ? id : memoryIdOf(slug, change);
  };
  const add: Lineages["add"] = (change) => {
    const from = renamedFrom(change, lineages);
    return change.files.flatMap((file): readonly VersionRecord[] => {
      const { slug, before, after } = file;
      const key = { change: change.id, slug };
      const isGone = after === null && change.isErased !== true;
      // The name it had before; the new one has the version.
      if (from !== undefined && slug === from.slug) return [];
      const moved = after !== null && before === null ? from?.lineage : undefined;
      const known = moved ?? lineages.get(slug);
      const isNew = before === null && change.isErased !== true && moved === undefined;
      const memoryId = known?.memoryId ?? idFor(slug, change.id);
      const createdAt = isNew ? change.at : (known?.createdAt ?? change.at);
      const sha256 = after === null ? undefined : sha256Hex(after);
      lineages.set(slug, { memoryId, createdAt, change: change.id, sha256 });
      if (from !== undefined && moved !== undefined) lineages.delete(from.slug);
      names.set(memoryId, slug);
      const operation = isGone ? "deleted" : isNew ? "created" : "modified";
      const isErased = change.isErased === true && after === null;
      return [{ ...key, memoryId, operation, text: after, isErased, record: change }];
    });
  };
  return {
    add,
    get: (slug) => lineages.get(slug),
    nameOf: (memoryId) => names.get(memoryId),
    idFor,
  };
}

/** The topic whose text another name has after a rename, or after its undo. */
function renamedFrom(
  { action, files }: Change,
  lineages: ReadonlyMap<string, Lineage>,
): { readonly slug: string; readonly lineage: Lineage | undefined } | undefined {
  if (action !== "rename" && action !== "undo") return undefined;
  const left = files.filter(({ before, after }) => before !== null && after === null);
  const arrived = files.filter(({ before, after }) => before === null && after !== null);
  const [only] = left;
  if (only === undefined || left.length > 1 || arrived.length !== 1) return undefined;
  return { slug: only.slug, lineage: lineages.get(only.slug) };
}
