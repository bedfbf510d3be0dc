import { searchTerms } from "../search/analyzer/query-terms.ts";
import { type MessageWords, parseMessage } from "../search/recall/message-words.ts";
import { actionsIn, avoidedBy } from "./avoided-terms.ts";
import { termWeight } from "./everyday-words.ts";
import type { TermWeights } from "./note-index.ts";
import { NOTE_WEIGHTS, type NoteWeights } from "./note-weights.ts";
import type { NoteRequest, NoteTrigger } from "./note.ts";
import { taskKind, type TaskKind } from "./task-kind.ts";
import { directoryTerms, fileTerms } from "./path-terms.ts";

/** What a note is looked for. */
export interface NoteQuery {
  readonly terms: ReadonlyMap<string, TermWeights>;
  /** What a call does that a memory may forbid. */
  readonly avoided: readonly string[];
  /** Those of a command that say what it does, and not what it does it to. */
  readonly actions: ReadonlySet<string>;
  readonly isMessage: boolean;
  /** The logarithm of how likely it is that nothing is needed, compared as the score of a passage. */
  readonly nothing: number;
}

const MAX_MESSAGE_TERMS = 24;
const MAX_WORDS = 16;
const MAX_SCANNED_CHARACTERS = 6_000;
const MAX_COMMAND_CHARACTERS = 500;

interface QueryInput {
  readonly query: Map<string, TermWeights>;
  /** From 0 to 1; 0 for a term that no memory contains. */
  readonly rarity: (term: string) => number;
  readonly weights: NoteWeights;
}

export interface NoteQueryInput {
  /** How rare a term is in memory; more than 1 if no memory has it. */
  readonly rarity: (term: string) => number;
  /** The terms of each sentence of a message, for a caller that remembers them. */
  readonly sentencesOf?: (message: string) => MessageWords["sentences"];
  /** Differ from the usual ones only while those are fitted. */
  readonly weights?: NoteWeights;
}

export function noteQuery(
  { trigger, message = "" }: Pick<NoteRequest, "trigger" | "message">,
  { rarity, sentencesOf = parseSentences, weights = NOTE_WEIGHTS }: NoteQueryInput,
): NoteQuery {
  const query = new Map<string, TermWeights>();
  const known = (term: string): number => (rarity(term) > 1.05 ? 0 : Math.min(1, rarity(term)));
  const input: QueryInput = { query, rarity: known, weights };
  const task = trigger.kind === "message" ? trigger.text : message;
  const said = new Set(sentencesOf(task).flat());
  addMessage(input, said);
  if (trigger.kind === "file") {
    const words = wordsIn(trigger.text);
    // What was counted once says nothing new.
    addText(input, without(words, said));
    addPath(input, trigger.path, without(directoryNames(trigger.path), said, words));
  }
  if (trigger.kind === "command") {
    const command = commandOf(trigger);
    for (const term of searchTerms(command))
      count(query, term, { anywhere: weights.command * known(term) * termWeight(term) });
  }
  const avoided = [...avoidedBy(writtenText(trigger))].filter((term) => known(term) > 0);
  for (const term of avoided) count(query, term, { own: weights.avoided });
  const { kind } = trigger;
  return {
    terms: query,
    avoided,
    actions: trigger.kind === "command" ? avoidedBy(actionsIn(commandOf(trigger))) : NO_ACTIONS,
    isMessage: kind === "message",
    nothing: nothingOf(weights, kind === "message", taskKind(task)),
  };
}

function nothingOf(
  { nothing }: NoteWeights,
  isMessage: boolean,
  kind: TaskKind | undefined,
): number {
  return (isMessage ? nothing.message : nothing.call) + (kind === undefined ? 0 : nothing[kind]);
}

function parseSentences(message: string): MessageWords["sentences"] {
  return parseMessage(message).sentences;
}

function count(
  query: Map<string, TermWeights>,
  term: string,
  { anywhere = 0, title = 0, own = 0 }: Partial<TermWeights>,
): void {
  const before = query.get(term) ?? { anywhere: 0, title: 0, own: 0 };
  query.set(term, {
    anywhere: before.anywhere + anywhere,
    title: before.title + title,
    own: before.own + own,
  });
}

/** The significant words of a message. The more there are, the less each counts. */
function addMessage(input: QueryInput, terms: ReadonlySet<string>): void {
  addRarest(input, terms, {
    max: MAX_MESSAGE_TERMS,
    counts: input.weights.message,
    massOf: input.rarity,
  });
}

function addPath(
  { query, rarity, weights }: QueryInput,
  path: string,
  names: readonly string[],
): void {
  const { file, directory, directoryName } = weights;
  const add = (terms: readonly string[], weigh: (term: string) => number): void => {
    for (const term of new Set(terms))
      count(query, term, { anywhere: weigh(term) * rarity(term) ** 2 });
  };
  add(fileTerms(path), () => file);
  add(directoryTerms(path), () => directory);
  add(names, (term) => directoryName * termWeight(term));
}

function directoryNames(path: string): readonly string[] {
  return searchTerms(path.split("/").slice(0, -1).join(" "));
}

function without(
  terms: Iterable<string>,
  ...known: readonly ReadonlySet<string>[]
): readonly string[] {
  return [...terms].filter((term) => !known.some((set) => set.has(term)));
}

const IDENTIFIER = /[A-Za-z_$][\w$]{2,63}(?:-[a-z]\w*)*/g;

/** The words of a text, and those in its identifiers. */
function wordsIn(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  // Each once: a file repeats most of its identifiers, and analyzing one takes longer than finding it.
  for (const identifier of new Set(text.slice(0, MAX_SCANNED_CHARACTERS).match(IDENTIFIER))) {
    const terms = searchTerms(identifier);
    // The last one of several is the whole identifier.
    for (const term of terms.length > 1 ? terms.slice(0, -1) : terms) words.add(term);
  }
  return words;
}

/** The rarest words that some memory contains. */
function addText(input: QueryInput, words: readonly string[]): void {
  addRarest(input, words, {
    max: MAX_WORDS,
    counts: { ...input.weights.word, title: 0 },
    massOf: (term) => input.rarity(term) * termWeight(term),
  });
}

function addRarest(
  { query }: QueryInput,
  terms: Iterable<string>,
  {
    max,
    counts,
    massOf,
  }: {
    readonly max: number;
    readonly counts: TermWeights;
    readonly massOf: (term: string) => number;
  },
): void {
  const rarest = Array.from(terms, (term) => ({ term, mass: massOf(term) }))
    .filter(({ mass }) => mass > 0)
    .toSorted((one, other) => other.mass - one.mass)
    .slice(0, max);
  const all = rarest.reduce((sum, { mass }) => sum + mass, 0);
  const share = 1 / Math.sqrt(1 + all / 2);
  for (const { term, mass } of rarest)
    count(query, term, {
      anywhere: counts.anywhere * mass * share,
      title: counts.title * mass * share,
      own: counts.own * mass * share,
    });
}

const NO_ACTIONS: ReadonlySet<string> = new Set();

function commandOf({ command }: Extract<NoteTrigger, { readonly kind: "command" }>): string {
  return command.slice(0, MAX_COMMAND_CHARACTERS);
}

/** What a call is about to do, as opposed to what it looks at. */
function writtenText(trigger: NoteRequest["trigger"]): string {
  if (trigger.kind === "command") return commandOf(trigger);
  const isWritten = trigger.kind === "file" && trigger.action !== "read";
  return isWritten ? trigger.text.slice(0, MAX_SCANNED_CHARACTERS) : "";
}
