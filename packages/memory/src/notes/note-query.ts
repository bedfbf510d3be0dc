import { searchTerms } from "../search/analyzer/query-terms.ts";
import type { MessageWords } from "../search/recall/message-words.ts";
import { avoidedBy } from "./avoided-terms.ts";
import { termWeight } from "./everyday-words.ts";
import type { NoteRequest } from "./note.ts";
import { directoryTerms, fileTerms } from "./path-terms.ts";

/** What a note is looked for: terms with their weights. */
export interface NoteQuery {
  /** The words of the user's message. */
  readonly message: ReadonlyMap<string, number>;
  /** The path, the identifiers or the command of a call. */
  readonly call: ReadonlyMap<string, number>;
  /** The file of the call, each way it may be named, as one term. */
  readonly file: readonly string[];
  /** Whether a file is read or edited that was there before. */
  readonly isExistingFile: boolean;
  /** The words of the path of a file. */
  readonly place: ReadonlySet<string>;
  /** The words of the file's name. */
  readonly name: readonly string[];
  /** What a file that is written imports. */
  readonly dependencies: readonly string[];
  /** The directory of a file that is written. */
  readonly directory: readonly string[];
  /** Both; a term in both counts a little more. */
  readonly all: ReadonlyMap<string, number>;
}

const NAME_WEIGHT = 0.8;
const DIRECTORY_WEIGHT = 0.5;
/** A file has up to three terms. */
const FILE_WEIGHT = 0.5;
const SAME_DIRECTORY_WEIGHT = 0.6;
/** What a file imports. */
const DEPENDENCY_WEIGHT = 0.8;
const COMMAND_WEIGHT = 0.8;
const PROGRAM_WEIGHT = 0.4;
/** An identifier of several parts is rarely a coincidence. */
const IDENTIFIER_WEIGHT = 0.6;
const WORD_WEIGHT = 0.2;
/** A call that does what a memory forbids needs no further words in common. */
const AVOIDED_WEIGHT = 2;
const BOTH_BONUS = 0.3;
const MAX_MESSAGE_TERMS = 24;
const MAX_IDENTIFIERS = 12;
const MAX_SCANNED_CHARACTERS = 6_000;
const MAX_COMMAND_CHARACTERS = 500;

export interface NoteQueryInput {
  /** How rare a term is in memory; more than 1 if no memory has it. */
  readonly rarity: (term: string) => number;
  /** The terms of each sentence of a message. */
  readonly sentencesOf: (message: string) => MessageWords["sentences"];
}

export function noteQuery(
  { trigger, message = "" }: Pick<NoteRequest, "trigger" | "message">,
  { rarity, sentencesOf }: NoteQueryInput,
): NoteQuery {
  const text = trigger.kind === "message" ? trigger.text : message;
  const said = messageTerms(sentencesOf(text), rarity);
  const call = new Map<string, number>();
  const file = trigger.kind === "file" ? fileTerms(trigger.path) : [];
  if (trigger.kind === "file") {
    addPath(call, trigger.path, file);
    addIdentifiers(call, trigger.text, rarity);
  }
  if (trigger.kind === "command") {
    const [program = "", ...rest] = trigger.command.slice(0, MAX_COMMAND_CHARACTERS).split(/\s+/);
    addTerms(call, program, PROGRAM_WEIGHT);
    addTerms(call, rest.join(" "), COMMAND_WEIGHT);
  }
  const written = writtenText(trigger);
  for (const term of avoidedBy(written)) {
    if (rarity(term) <= 1.01) call.set(term, AVOIDED_WEIGHT);
  }
  const isExistingFile = trigger.kind === "file" && trigger.action !== "create";
  const place = new Set(
    trigger.kind === "file" ? searchTerms(trigger.path.replaceAll(/[^\p{L}\p{N}]+/gu, " ")) : [],
  );
  return {
    message: said,
    isExistingFile,
    place,
    call,
    file,
    name: nameTerms(trigger),
    directory: writtenDirectory(trigger),
    dependencies: dependenciesOf(written),
    all: joined(said, call),
  };
}

function nameTerms(trigger: NoteRequest["trigger"]): readonly string[] {
  return trigger.kind === "file"
    ? searchTerms(stemOf(trigger.path).replaceAll(/[^\p{L}\p{N}]+/gu, " "))
    : [];
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[^.]{1,8}$/, "");
}

function writtenDirectory(trigger: NoteRequest["trigger"]): readonly string[] {
  return trigger.kind === "file" && trigger.action !== "read" ? directoryTerms(trigger.path) : [];
}

/** What a call is about to do, as opposed to what it looks at. */
function writtenText(trigger: NoteRequest["trigger"]): string {
  if (trigger.kind === "command") return trigger.command.slice(0, MAX_COMMAND_CHARACTERS);
  const isWritten = trigger.kind === "file" && trigger.action !== "read";
  return isWritten ? trigger.text.slice(0, MAX_SCANNED_CHARACTERS) : "";
}

function joined(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const all = new Map(one);
  for (const [term, weight] of other) {
    const known = all.get(term);
    all.set(term, known === undefined ? weight : Math.max(known, weight) + BOTH_BONUS * weight);
  }
  return all;
}

/** The significant words of a message, the rarest first if there are many. */
function messageTerms(
  sentences: MessageWords["sentences"],
  rarity: NoteQueryInput["rarity"],
): ReadonlyMap<string, number> {
  const terms = [...new Set(sentences.flat())].map((term): readonly [string, number] => [
    term,
    termWeight(term),
  ]);
  if (terms.length <= MAX_MESSAGE_TERMS) return new Map(terms);
  const ranked = terms
    .map(([term, weight]) => ({ term, weight, value: weight * rarity(term) }))
    .toSorted((one, other) => other.value - one.value);
  return new Map(ranked.slice(0, MAX_MESSAGE_TERMS).map(({ term, weight }) => [term, weight]));
}

function addTerms(terms: Map<string, number>, text: string, weight: number): void {
  for (const term of searchTerms(text)) addTerm(terms, term, weight * termWeight(term));
}

function addTerm(terms: Map<string, number>, term: string, weight: number): void {
  terms.set(term, Math.max(terms.get(term) ?? 0, weight));
}

function addPath(terms: Map<string, number>, path: string, file: readonly string[]): void {
  const parts = path.split("/");
  addTerms(terms, stemOf(path), NAME_WEIGHT);
  addTerms(terms, parts.slice(0, -1).join(" "), DIRECTORY_WEIGHT);
  for (const term of file) addTerm(terms, term, FILE_WEIGHT);
  for (const term of directoryTerms(path)) addTerm(terms, term, SAME_DIRECTORY_WEIGHT);
}

const DEPENDENCY = /\b(?:from|import|require|include|use)\s*\(?["'<]([@\w][\w@/.-]{1,60})["'>]/g;
/** The names of packages, each as one term. Relative imports are files. */
function dependenciesOf(text: string): readonly string[] {
  const names = Array.from(
    text.slice(0, MAX_SCANNED_CHARACTERS).matchAll(DEPENDENCY),
    ([, name = ""]) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
  );
  return names.flatMap((name) => searchTerms(name).slice(-1));
}

const IDENTIFIER = /[A-Za-z_$][\w$]{2,63}(?:-[a-z]\w*)*/g;

/** The rarest identifiers of a text that some memory names. */
function addIdentifiers(
  terms: Map<string, number>,
  text: string,
  rarity: (term: string) => number,
): void {
  const found = new Map<string, number>();
  // Each once: a file repeats most of its identifiers, and analyzing one takes longer than finding it.
  for (const identifier of new Set(text.slice(0, MAX_SCANNED_CHARACTERS).match(IDENTIFIER))) {
    const own = searchTerms(identifier);
    const whole = own.length > 1 ? own.at(-1) : undefined;
    for (const term of own) {
      const weight = term === whole ? IDENTIFIER_WEIGHT : WORD_WEIGHT * termWeight(term);
      if (rarity(term) < 1.05) addTerm(found, term, weight);
    }
  }
  for (const term of dependenciesOf(text)) addTerm(found, term, DEPENDENCY_WEIGHT);
  const ranked = [...found]
    .map(([term, weight]) => ({ term, weight, value: weight * rarity(term) }))
    .toSorted((one, other) => other.value - one.value);
  for (const { term, weight } of ranked.slice(0, MAX_IDENTIFIERS)) addTerm(terms, term, weight);
}
