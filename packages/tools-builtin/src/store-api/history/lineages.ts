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
interface Lineage {
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
  const hashOf = (text: string | null): string | undefined =>
    text === null ? undefined : sha256Hex(text);
  const add: Lineages["add"] = (change) => {
    const from = renamedFrom(change, lineages);
    return change.files.flatMap((file): readonly VersionRecord[] => {
      const { slug, after } = file;
      // The name it had before; the new one has the version.
      if (slug === from?.slug) return [];
      const moved = isArrival(file) ? from : undefined;
      const isMoved = moved !== undefined;
      const known = moved?.lineage ?? lineages.get(slug);
      const operation = operationOf(change, file, { known, isMoved });
      const memoryId = known?.memoryId ?? idFor(slug, change.id);
      lineages.set(slug, {
        memoryId,
        change: change.id,
        createdAt: (operation === "created" ? undefined : known?.createdAt) ?? change.at,
        sha256: hashOf(after),
      });
      if (moved !== undefined) lineages.delete(moved.slug);
      names.set(memoryId, slug);
      const isErased = isErasedText(change, file);
      const key = { change: change.id, slug, memoryId };
      return [{ ...key, operation, text: after, isErased, record: change }];
    });
  };
  return {
    add,
    get: (slug) => lineages.get(slug),
    nameOf: (memoryId) => names.get(memoryId),
    idFor,
  };
}

type FileChange = Change["files"][number];

function isArrival({ before, after }: FileChange): boolean {
  return before === null && after !== null;
}

function isErasedText({ isErased }: Change, { after }: FileChange): boolean {
  return isErased === true && after === null;
}

/** Of an erased text, the action and earlier changes show what happened to it. */
function operationOf(
  change: Change,
  file: FileChange,
  { known, isMoved }: { readonly known: Lineage | undefined; readonly isMoved: boolean },
): VersionRecord["operation"] {
  const isErased = isErasedText(change, file);
  if (file.after === null && (!isErased || change.action === "remove")) return "deleted";
  const isFirst = change.isErased === true ? known === undefined : file.before === null;
  return isFirst && !isMoved ? "created" : "modified";
}

/** The topic whose text another name has after a rename, or after its undo. */
function renamedFrom(
  { action, files }: Change,
  lineages: ReadonlyMap<string, Lineage>,
): { readonly slug: string; readonly lineage: Lineage | undefined } | undefined {
  if (action !== "rename" && action !== "undo") return undefined;
  const left = files.filter(({ before, after }) => before !== null && after === null);
  const arrived = files.filter(isArrival);
  const [only] = left;
  if (only === undefined || left.length > 1 || arrived.length !== 1) return undefined;
  return { slug: only.slug, lineage: lineages.get(only.slug) };
}
