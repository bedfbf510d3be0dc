import { topicKey, TOPICS } from "../../search/live-index/topic-document.ts";
import type { SearchSource } from "../../search/live-index/source.ts";
import type { Evidence } from "../../topics/topic-fields.ts";
import type { EvidenceState } from "../../topics/evidence-state.ts";
import {
  type AppliesMatcher,
  type CompileGlob,
  createAppliesMatcher,
} from "../../notes/applies.ts";
import {
  type Candidate,
  findCandidates,
  type ScoredPassage,
  scorePassages,
} from "../../notes/choose-note.ts";
import type { Note, NoteRequest } from "../../notes/note.ts";
import type { IndexedNote, NoteIndex } from "../../notes/note-index.ts";
import { noteQuery, type NoteQueryInput } from "../../notes/note-query.ts";
import { amendedIn, currentOf, haveSameSubject, isLater } from "../../notes/same-subject.ts";
import { supersededTopics } from "../../notes/supersession.ts";
import { createSentences } from "./create-sentences.ts";
import { loadCompiler } from "./load-compiler.ts";
import { type Choice, firstReadable, MAX_READS } from "./first-readable.ts";
import { createNoteReader } from "./read-note.ts";

/** What shows the texts of a source. */
export type ShownSource = Pick<SearchSource, "name" | "show" | "quote">;

export interface NoteFinderInput {
  readonly sources: readonly ShownSource[];
  /** Further ones, opened when one of their texts is needed. */
  readonly moreSources?: (() => Promise<readonly ShownSource[]>) | undefined;
  /** What has become of the files that support a topic. */
  readonly checkEvidence?: ((evidence: readonly Evidence[]) => Promise<EvidenceState>) | undefined;
  /** Whether the user wants a statement to be forgotten. */
  readonly isForgotten?: IsForgotten | undefined;
}

type IsForgotten = (statement: {
  readonly text: string;
  readonly session?: string | undefined;
  readonly byte?: number | undefined;
}) => boolean;

/** Finds the note for a moment of a conversation, in an index that is loaded. */
export interface NoteFinder {
  readonly find: (index: NoteIndex, request: NoteRequest) => Promise<Note | undefined>;
  /** Whether another topic replaces a topic of the project. */
  readonly isSuperseded: (index: NoteIndex, slug: string) => boolean;
}

export function createNoteFinder(input: NoteFinderInput): NoteFinder {
  const read = createNoteReader(input);
  let compile: CompileGlob | undefined;
  let known:
    | { readonly index: NoteIndex; readonly version: number; readonly topics: Topics }
    | undefined;
  const topicsOf = (index: NoteIndex): Topics => {
    const version = index.version();
    if (known?.index !== index || known.version !== version) {
      const applies = createAppliesMatcher(
        index.applying(),
        (glob) => compile?.(glob) ?? (() => false),
      );
      known = {
        index,
        version,
        topics: { applies, superseded: supersededTopics(index.superseding()) },
      };
    }
    return known.topics;
  };
  const sentencesOf = createSentences();
  return {
    find: async (index, request) => {
      // Only paths are matched with globs.
      if (request.trigger.kind === "file") compile ??= await loadCompiler();
      const choices = findChoices(index, request, { ...topicsOf(index), sentencesOf });
      return await firstReadable(choices, { request, read });
    },
    isSuperseded: (index, slug) => topicsOf(index).superseded.has(`${TOPICS}:${topicKey(slug)}`),
  };
}

interface Topics {
  readonly applies: AppliesMatcher;
  readonly superseded: ReadonlyMap<string, IndexedNote>;
}

function findChoices(
  index: NoteIndex,
  request: NoteRequest,
  { sentencesOf, ...topics }: Topics & Required<Pick<NoteQueryInput, "sentencesOf">>,
): readonly Choice[] {
  const query = noteQuery(request, { rarity: index.rarity, sentencesOf });
  const scored = scorePassages(index, query);
  const weights = new Map(
    Array.from(query.terms, ([term, { anywhere, own }]) => [term, anywhere + own]),
  );
  const candidates: readonly AppliedCandidate[] = [
    ...appliedCandidates(index, request, { topics, query: weights }),
    ...findCandidates(index, query, scored),
  ];
  const choices = new Map<number, Choice>();
  for (const { note, match = "words", score, terms, isForbidding = false } of candidates) {
    const settled = settledBy(index, note);
    const related = relatedTo(note, scored);
    const current = currentNote(index, settled, { topics, related });
    if (current === undefined || choices.has(current.number)) continue;
    choices.set(current.number, {
      note: current,
      was: () => (current === settled ? olderOf(index, current, related) : settled),
      why: { match, score, terms },
      isForced: match === "applies" || isForbidding,
      companions: () => companionsOf(index, current, scored),
      query: weights,
    });
  }
  return [...choices.values()];
}

/** What replaces a memory must concern the query as well: a likelihood of less than 1 % of the other does not. */
const MAX_SCORE_DIFFERENCE = 6;

/** The records that may replace one, those that concern the query most first. */
function relatedTo(note: IndexedNote, scored: readonly ScoredPassage[]): readonly IndexedNote[] {
  const own = scored.find(({ notes }) => notes[0].passage === note.passage)?.score ?? 0;
  return scored
    .filter(({ score }) => score >= own - MAX_SCORE_DIFFERENCE)
    .flatMap(({ notes }) => notes);
}

/** What a record replaces: the topic that it names, or an earlier record with the same subject. */
function olderOf(
  index: NoteIndex,
  current: IndexedNote,
  related: readonly IndexedNote[],
): IndexedNote | undefined {
  const source = current.entry.slice(0, current.entry.indexOf(":"));
  const named = (current.supersedes ?? []).flatMap((slug) => index.ofEntry(`${source}:${slug}`));
  return named[0] ?? related.find((note) => isOlderVersion(index, note, current));
}

/** What else was settled in the same passage, and still holds. It may complete a short statement. */
function companionsOf(
  index: NoteIndex,
  note: IndexedNote,
  scored: readonly ScoredPassage[],
): readonly IndexedNote[] {
  if (note.kind !== "statement") return [];
  const passage = scored.find(({ notes }) => notes[0].passage === note.passage)?.notes ?? [];
  return passage.filter(
    (other) => other !== note && currentOf(index, other, () => false) === other,
  );
}

interface AppliedCandidate extends Candidate {
  readonly match?: "applies";
}

function appliedCandidates(
  index: NoteIndex,
  { trigger }: NoteRequest,
  { topics, query }: { readonly topics: Topics; readonly query: ReadonlyMap<string, number> },
): readonly AppliedCandidate[] {
  if (trigger.kind === "message") return [];
  const { applies } = topics;
  const found =
    trigger.kind === "file" ? applies.toPath(trigger.path) : applies.toCommand(trigger.command);
  return found
    .map(({ note, specificity }) => {
      const terms = note.own.filter((term) => query.has(term));
      const mass = terms.reduce(
        (sum, term) => sum + (query.get(term) ?? 0) * index.rarity(term),
        0,
      );
      return {
        note,
        specificity,
        terms,
        score: mass,
        match: "applies" as const,
      };
    })
    .toSorted(
      (one, other) =>
        other.score - one.score ||
        other.specificity - one.specificity ||
        (other.note.atMs ?? 0) - (one.note.atMs ?? 0),
    )
    .slice(0, MAX_READS * 2);
}

/** What holds now about the subject of a record; `undefined` if that cannot be told. */
function currentNote(
  index: NoteIndex,
  note: IndexedNote,
  { topics, related }: { readonly topics: Topics; readonly related: readonly IndexedNote[] },
): IndexedNote | undefined {
  let current = note;
  const seen = new Set<string>([note.entry]);
  for (let next = topics.superseded.get(current.entry); next !== undefined;) {
    if (seen.has(next.entry)) return undefined;
    seen.add(next.entry);
    current = next;
    next = topics.superseded.get(current.entry);
  }
  const replaced = currentOf(index, current, (later) => related.includes(later));
  const newest = amendedIn(index, replaced, related) ?? replaced;
  return topics.superseded.has(newest.entry) ? current : newest;
}

const MAX_STEPS = 2;

/** What settles the matter in the same conversation, if a statement only raises it. */
function settledBy(index: NoteIndex, note: IndexedNote): IndexedNote {
  if (note.kind !== "statement" || note.strength >= CLEAR) return note;
  const all = index.ofEntry(note.entry);
  const at = all.indexOf(note);
  return all.slice(at + 1, at + 1 + MAX_STEPS).find(({ strength }) => strength >= CLEAR) ?? note;
}

const CLEAR = 0.8;

function isOlderVersion(index: NoteIndex, older: IndexedNote, newer: IndexedNote): boolean {
  if (!isLater(newer, older)) return false;
  if (older.kind === "statement" && older.entry !== newer.entry)
    return haveSameSubject(index, older, newer);
  return currentOf(index, older, (later) => later === newer) === newer;
}
