import { isRecord, parseJsonRecord } from "@caliban/common";
import type { Sha256Hex } from "../project/slug.ts";
import { slugFromFileName, type TopicSlug } from "../topics/slug.ts";
import type { Change } from "./change.ts";

/** What an archived change did to a topic, without the texts. */
interface ArchivedFile {
  readonly slug: TopicSlug;
  /** Whether there was a text before. */
  readonly isReplaced: boolean;
  /** The SHA-256 of the text after; `null` if there was none. */
  readonly after: string | null;
}

/** The start of a line in the archive: enough to decide what is kept and what is known, without unpacking it. */
export interface ArchivedHead {
  readonly id: string;
  readonly at: string;
  readonly files: readonly ArchivedFile[];
}

/** Separates the head from the packed change, which has no quotes. */
const PACKED = ',"change":"';

/** Renders a line of the archive: a head, and the whole change in packed form. */
export function renderArchived(
  change: Change,
  { packed, sha256Hex }: { readonly packed: string; readonly sha256Hex: Sha256Hex },
): string {
  const { id, at } = change;
  const files = change.files.map(({ slug, before, after }): ArchivedFile => ({
    slug,
    isReplaced: before !== null,
    after: after === null ? null : sha256Hex(after),
  }));
  const head: ArchivedHead = { id, at, files };
  return `${JSON.stringify(head).slice(0, -1)}${PACKED}${packed}"}\n`;
}

/** `undefined` for an invalid line, such as a partial one after a crash. */
export function parseArchivedHead(line: string): ArchivedHead | undefined {
  const end = line.indexOf(PACKED);
  if (end === -1 || !line.endsWith('"}')) return undefined;
  const { id, at, files } = parseJsonRecord(`${line.slice(0, end)}}`) ?? {};
  if (typeof id !== "string" || typeof at !== "string" || !Array.isArray(files)) return undefined;
  const items: readonly unknown[] = files;
  const parsed = items.flatMap((item) => parseFile(item) ?? []);
  return parsed.length === items.length ? { id, at, files: parsed } : undefined;
}

/** The packed change of a valid line. */
export function packedIn(line: string): string {
  return line.slice(line.indexOf(PACKED) + PACKED.length, -'"}'.length);
}

function parseFile(item: unknown): ArchivedFile | undefined {
  if (!isRecord(item)) return undefined;
  const { slug: name, isReplaced, after } = item;
  const slug = typeof name === "string" ? slugFromFileName(`${name}.md`) : undefined;
  if (slug === undefined || typeof isReplaced !== "boolean") return undefined;
  return after === null || typeof after === "string" ? { slug, isReplaced, after } : undefined;
}

/** Identifies a change, in the archive as in the history file: ids are short, and two may be the same by chance. */
export function changeKey({ id, at }: Pick<Change, "id" | "at">): string {
  return `${id} ${at}`;
}

/** The text of a topic that only the archive has. */
export interface ArchivedText {
  readonly sha256: string;
  /** `undefined` if the archive was damaged since then. */
  readonly read: () => Promise<string | undefined>;
}

/** The text of each topic according to the archive; `null` if it was removed. Erased texts are unknown. */
export function archivedTexts(
  heads: readonly ArchivedHead[],
  read: (head: ArchivedHead, slug: TopicSlug) => Promise<string | undefined>,
): ReadonlyMap<TopicSlug, ArchivedText | null> {
  const last = new Map<TopicSlug, ArchivedText | null>();
  for (const head of heads) {
    for (const { slug, isReplaced, after } of head.files) {
      if (after !== null) last.set(slug, { sha256: after, read: () => read(head, slug) });
      else if (isReplaced) last.set(slug, null);
      else last.delete(slug);
    }
  }
  return last;
}
