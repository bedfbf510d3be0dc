import { checkTopicFile } from "@caliban/memory";
import { findSecrets } from "@caliban/memory/node";
import type { RefusedEntry } from "../../team/changes.ts";
import { refusal } from "../../tree/parse-tree.ts";
import type { TopicEntries } from "../../tree/read-entries.ts";
import { readBlobs } from "../git/objects.ts";
import type { Repository } from "../git/repository.ts";
import { TOPICS } from "./read-tree.ts";

export interface CheckedContents {
  readonly texts: ReadonlyMap<string, string>;
  readonly invalid: readonly string[];
  readonly refused: readonly RefusedEntry[];
}

/** Reads topics that changed, and checks them as a store checks a write. */
export async function checkContents(
  repository: Repository,
  { files }: TopicEntries,
  slugs: readonly string[],
): Promise<CheckedContents> {
  const wanted = slugs.flatMap((slug) => {
    const entry = files.get(slug);
    return entry === undefined ? [] : [{ slug, oid: entry.oid, bytes: entry.bytes ?? 0 }];
  });
  const texts = new Map<string, string>();
  const refused: RefusedEntry[] = [];
  const invalid: string[] = [];
  for (const part of partsOf(wanted)) {
    const blobs = await readBlobs(repository, part);
    for (const { slug, oid } of part) {
      const problem = await findContentProblem(slug, blobs.get(oid));
      if (typeof problem === "string") texts.set(slug, problem);
      else {
        invalid.push(slug);
        refused.push(problem);
      }
    }
  }
  return { texts, invalid, refused };
}

const MAX_PART_BYTES = 256 * 1024;

/** So that few texts are in memory at once. */
function partsOf<T extends { readonly bytes: number }>(
  blobs: readonly T[],
): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let bytes = Infinity;
  for (const blob of blobs) {
    if (bytes + blob.bytes > MAX_PART_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(blob);
    bytes += blob.bytes;
  }
  return parts;
}

/** The text if it can be used, otherwise why not. */
async function findContentProblem(
  slug: string,
  bytes: Buffer | undefined,
): Promise<string | RefusedEntry> {
  const path = pathOf(slug);
  if (bytes === undefined) return refusal(path, "NOT_TEXT", "git cannot read it");
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) return refusal(path, "NOT_TEXT", "it is not UTF-8");
  const checked = await checkTopicFile({ name: slug, text, findSecrets });
  if (checked.kind === "valid") return text;
  const code = checked.code === "SECRET_FOUND" ? "SECRET_FOUND" : "INVALID_TOPIC";
  return refusal(path, code, checked.message);
}

export function pathOf(slug: string): string {
  return `${TOPICS}/${slug}.md`;
}
