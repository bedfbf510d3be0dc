import { estimateTokens } from "@caliban/common";
import { searchTerms } from "../../search/analyzer/query-terms.ts";
import { fitText, MAX_NOTE_TOKENS } from "../../notes/fit-text.ts";
import type { Note, NoteSource } from "../../notes/note.ts";
import type { IndexedNote } from "../../notes/note-index.ts";
import type { TextSpan } from "../../notes/note-record.ts";
import type { ShownDocument } from "../../search/live-index/source.ts";
import { splitSentences } from "../../notes/sentences.ts";
import { once } from "../../store/lazy-store.ts";
import type { NoteFinderInput, ShownSource } from "./find-note.ts";

/** The current text of a memory. */
interface ReadMemory extends Pick<Note, "text" | "source"> {
  /** Without the question that it answers. */
  readonly plain: string;
}

/** `undefined` if it no longer exists, or is to be forgotten. */
export type ReadNote = (note: IndexedNote, context: ReadContext) => Promise<ReadMemory | undefined>;

interface ReadContext {
  readonly query: ReadonlyMap<string, number>;
  /** Added as long as there is space. */
  readonly companions?: (() => readonly IndexedNote[]) | undefined;
}

/** Reads memories from their sources, without secrets. */
export function createNoteReader(input: NoteFinderInput): ReadNote {
  const byName = new Map(input.sources.map((source) => [source.name, source]));
  const openMore = once(async () => (await input.moreSources?.()) ?? []);
  const sourceOf = async ({ entry }: IndexedNote): Promise<ShownSource | undefined> => {
    const name = entry.slice(0, entry.indexOf(":"));
    return byName.get(name) ?? (await openMore()).find((source) => source.name === name);
  };
  return async (note, { query, companions }) => {
    const source = await sourceOf(note);
    if (source === undefined) return undefined;
    const read =
      note.kind === "statement"
        ? await readStatement(note, source, input)
        : await readDocument(note, source, { query, input });
    if (read === undefined) return undefined;
    const { redactSecrets } = await import("@caliban/common/secrets");
    // A secret is recognized as a whole, so the text is cut afterwards.
    const plain = fitText((await redactSecrets(read.plain)).text);
    const lead = read.lead === undefined ? "" : fitText((await redactSecrets(read.lead)).text);
    let text = withLead(plain, lead);
    for (const companion of hasSpace(text) ? (companions?.() ?? []) : []) {
      const more = (await readStatement(companion, source, input))?.plain ?? "";
      text = withNext(text, fitText((await redactSecrets(more)).text));
      if (!hasSpace(text)) break;
    }
    return { text, plain, source: read.source };
  };
}

/** A statement of a few words may fit. */
const MIN_SPACE_TOKENS = 10;

function hasSpace(text: string): boolean {
  return estimateTokens(text) <= MAX_NOTE_TOKENS - MIN_SPACE_TOKENS;
}

interface ReadText {
  readonly plain: string;
  readonly lead?: string | undefined;
  readonly source: NoteSource;
}

/** A statement that means little alone comes after the question that it answers. */
function withLead(plain: string, lead: string): string {
  if (lead === "" || lead.includes(plain)) return plain;
  const both = `${lead}${/[.!?:…]$/u.test(lead) ? "" : ":"} ${plain}`;
  return estimateTokens(both) <= MAX_NOTE_TOKENS ? both : plain;
}

function withNext(text: string, next: string): string {
  if (next === "" || text.includes(next)) return text;
  const both = `${text}${/[.!?…]$/u.test(text) ? "" : "."} ${next}`;
  return estimateTokens(both) <= MAX_NOTE_TOKENS ? both : text;
}

async function readStatement(
  { entry, at, atMs, span, lead }: IndexedNote,
  source: ShownSource,
  { isForgotten }: NoteFinderInput,
): Promise<ReadText | undefined> {
  const session = entry.slice(entry.indexOf(":") + 1);
  const quote = async (part: string, range: TextSpan | undefined): Promise<Quote | undefined> => {
    const turn = await source.quote?.(`${entry}#${part}`);
    const text = turn === undefined ? "" : sliceOf(turn.text, range).trim();
    const isGone = text === "" || isForgotten?.({ text, session, byte: Number(part) }) === true;
    return turn === undefined || isGone ? undefined : { text, agent: turn.agent };
  };
  const said = await quote(at, span);
  if (said === undefined) return undefined;
  const asked = lead && (await quote(lead.at, lead));
  const address = `session:${session}#${at}`;
  return {
    plain: said.text,
    lead: asked?.text,
    source: { kind: "session", session, agent: said.agent, address, atMs },
  };
}

interface Quote {
  readonly text: string;
  readonly agent: string;
}

function sliceOf(text: string, span: TextSpan | undefined): string {
  return span === undefined ? text : text.slice(span.from, span.to);
}

async function readDocument(
  note: IndexedNote,
  source: ShownSource,
  {
    query,
    input,
  }: { readonly query: ReadonlyMap<string, number>; readonly input: NoteFinderInput },
): Promise<ReadText | undefined> {
  const { entry, at, atMs, span, kind } = note;
  const shown = await source.show(`${entry}#${at}`);
  if (shown === undefined || shown.kind === "turn") return undefined;
  if (kind === "section") {
    const plain = sliceOf(shown.text, span).trim();
    if (plain === "" || input.isForgotten?.({ text: plain }) === true) return undefined;
    const address = `${shown.address}#${at}.${span?.from ?? 0}`;
    return { plain, source: { kind: "learned", name: shown.name, address, atMs } };
  }
  const { evidence = [] } = shown;
  const state = evidence.length === 0 ? undefined : await input.checkEvidence?.(evidence);
  return {
    plain: topicText(shown.description, shown.text, query),
    source: topicSource(shown, { atMs, evidence: state }),
  };
}

function topicSource(
  { name: slug, address, author }: Extract<ShownDocument, { readonly name: string }>,
  known: Pick<Extract<NoteSource, { readonly kind: "topic" }>, "atMs" | "evidence">,
): NoteSource {
  const by = author === undefined ? {} : { author };
  return { kind: "topic", slug, ...by, address, ...known };
}

/** The description, and the sentences of the body from the best one on. */
function topicText(description: string, body: string, query: ReadonlyMap<string, number>): string {
  const sentences = splitSentences(body.slice(0, MAX_BODY_CHARACTERS));
  const known = new Set(searchTerms(description));
  const scores = sentences.map(({ text }) =>
    searchTerms(text).reduce((sum, term) => sum + (query.get(term) ?? 0), 0),
  );
  const best = scores.indexOf(Math.max(...scores));
  const from = (scores[best] ?? 0) > 0 ? best : 0;
  // A first sentence that repeats the description adds nothing.
  const rest = sentences.slice(from).filter(({ text }) => {
    const terms = searchTerms(text);
    return terms.some((term) => !known.has(term));
  });
  const start =
    /[.!?…]$/u.test(description) || description === "" ? description : `${description}.`;
  return [start, ...rest.map(({ text }) => text)].join(" ");
}

const MAX_BODY_CHARACTERS = 20_000;
