import { parseJsonRecord } from "@caliban/common";
import { type Applies, parseTopicFields } from "../topics/topic-fields.ts";

/** A memory that may be shown as a note, as the index knows it: where its text is, and its words, but not the text. */
export interface NoteRecord {
  /** The part of its document's id after `#`. */
  readonly at: string;
  readonly kind: "topic" | "section" | "statement";
  readonly atMs: number | undefined;
  /** From 0 to 1: how much it settles a matter. */
  readonly strength: number;
  /** Whether it says that it replaces something. */
  readonly amends: boolean;
  /** Whether it says how things are done in general, and not only for the matter at hand. */
  readonly isGeneral: boolean;
  /** The part of the document that is shown; the whole document if left out. */
  readonly span?: TextSpan | undefined;
  /** Shown before it if there is space: the question that it answers. */
  readonly lead?: (TextSpan & { readonly at: string }) | undefined;
  /** The terms of its own words, and of what surrounds them. */
  readonly own: readonly string[];
  readonly near: readonly string[];
  readonly applies?: Applies | undefined;
  /** The names of topics that it replaces. */
  readonly supersedes?: readonly string[] | undefined;
}

export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** A stretch of a conversation about one subject, or a document. */
export interface Passage {
  /** The terms of what it starts with: the user's message, or the name and description of a topic. */
  readonly title: readonly string[];
  /** All of its terms, each as often as it occurs, up to `MAX_COUNT`. Those of its title and records may be missing. */
  readonly vocabulary: readonly string[];
  readonly records: readonly NoteRecord[];
}

/** More occurrences of a term in a passage are not counted. A power of two. */
export const MAX_COUNT = 8;

/** What of an entry may be shown. */
export type EntryNotes = readonly Passage[];

const KINDS = ["topic", "section", "statement"] as const;
const FIELD = "\t";
const LINE = "\n";
const PASSAGE = "passage";

/** Serializes passages: a line with the words of each, then a line for each record. Terms contain no white space. */
export function packNotes(passages: EntryNotes): string {
  return passages
    .flatMap(({ title, vocabulary, records }) => [
      [PASSAGE, title.join(" "), vocabulary.join(" ")].join(FIELD),
      ...records.map(packRecord),
    ])
    .join(LINE);
}

export function packRecord(record: NoteRecord): string {
  const { span, lead, applies, supersedes } = record;
  const more = (applies ?? supersedes) ? JSON.stringify({ applies, supersedes }) : "";
  return [
    record.at,
    KINDS.indexOf(record.kind),
    record.atMs ?? "",
    Math.round(record.strength * 100),
    record.amends ? 1 : 0,
    span === undefined ? "" : `${span.from}-${span.to}`,
    lead === undefined ? "" : `${lead.from}-${lead.to}-${lead.at}`,
    record.own.join(" "),
    record.near.join(" "),
    more,
    record.isGeneral ? 1 : 0,
  ].join(FIELD);
}

/** Reads what `packNotes` returned. Text that it did not write gives no records. */
export function unpackNotes(packed: string): EntryNotes {
  const passages: (Passage & { readonly records: NoteRecord[] })[] = [];
  for (const line of packed === "" ? [] : packed.split(LINE)) {
    const fields = line.split(FIELD);
    if (fields[0] === PASSAGE) {
      const [, title = "", vocabulary = ""] = fields;
      passages.push({ title: parseTerms(title), vocabulary: parseTerms(vocabulary), records: [] });
      continue;
    }
    const record = unpackRecord(fields);
    if (record !== undefined) passages.at(-1)?.records.push(record);
  }
  return passages;
}

export function unpackRecord(fields: readonly string[]): NoteRecord | undefined {
  const field = (at: number): string => fields[at] ?? "";
  const kind = field(1) === "" ? undefined : KINDS[Number(field(1))];
  if (kind === undefined) return undefined;
  return {
    at: field(0),
    kind,
    atMs: field(2) === "" ? undefined : Number(field(2)),
    strength: Number(field(3)) / 100,
    amends: field(4) === "1",
    span: spanOf(field(5)),
    lead: leadOf(field(6)),
    own: parseTerms(field(7)),
    near: parseTerms(field(8)),
    isGeneral: field(10) === "1",
    ...parseMore(field(9)),
  };
}

function parseTerms(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}

function spanOf(text: string): TextSpan | undefined {
  const [from, to] = text.split("-").map(Number);
  return text === "" || from === undefined || to === undefined ? undefined : { from, to };
}

function leadOf(text: string): NoteRecord["lead"] {
  const span = spanOf(text);
  return span && { ...span, at: text.split("-").slice(2).join("-") };
}

/** Parsed like front matter, so that nothing depends on who wrote it. */
function parseMore(json: string): Pick<NoteRecord, "applies" | "supersedes"> {
  const { applies, supersedes } =
    json === "" ? {} : parseTopicFields(parseJsonRecord(json) ?? {}, {});
  return {
    ...(applies === undefined ? {} : { applies }),
    ...(supersedes === undefined ? {} : { supersedes }),
  };
}
