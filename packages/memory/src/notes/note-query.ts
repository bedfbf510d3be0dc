import { searchTerms } from "../search/analyzer/query-terms.ts";
import { isSignificant } from "../search/recall/common-words.ts";
import { parseMessage } from "../search/recall/message-words.ts";
import type { NoteRequest } from "./note.ts";
import { fileTerms } from "./path-terms.ts";

/** What a note is looked for: terms with their weights. */
export interface NoteQuery {
  /** The words of the user's message. */
  readonly message: ReadonlyMap<string, number>;
  /** The path, the identifiers or the command of a call. */
  readonly call: ReadonlyMap<string, number>;
  /** The file of the call, each way it may be named, as one term. */
  readonly file: readonly string[];
  /** The program that the command runs. */
  readonly program: string | undefined;
  /** Both; a term in both counts a little more. */
  readonly all: ReadonlyMap<string, number>;
}

const COMMON_WEIGHT = 0.3;
const NAME_WEIGHT = 0.8;
const DIRECTORY_WEIGHT = 0.5;
const FILE_WEIGHT = 1;
const COMMAND_WEIGHT = 0.8;
/** An identifier of several parts is rarely a coincidence. */
const IDENTIFIER_WEIGHT = 0.6;
const WORD_WEIGHT = 0.2;
const BOTH_BONUS = 0.3;
const MAX_MESSAGE_TERMS = 24;
const MAX_IDENTIFIERS = 12;
const MAX_SCANNED_CHARACTERS = 6_000;
const MAX_COMMAND_CHARACTERS = 500;

export function noteQuery(
  { trigger, message = "" }: Pick<NoteRequest, "trigger" | "message">,
  rarity: (term: string) => number,
): NoteQuery {
  const text = trigger.kind === "message" ? trigger.text : message;
  const said = messageTerms(text, rarity);
  const call = new Map<string, number>();
  const file = trigger.kind === "file" ? fileTerms(trigger.path) : [];
  let program: string | undefined;
  if (trigger.kind === "file") {
    addPath(call, trigger.path);
    addIdentifiers(call, trigger.text, rarity);
  }
  if (trigger.kind === "command") {
    program = programOf(trigger.command);
    addTerms(call, trigger.command.slice(0, MAX_COMMAND_CHARACTERS), COMMAND_WEIGHT);
    addIdentifiers(call, "", rarity);
  }
  return { message: said, call, file, program, all: joined(said, call) };
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
function messageTerms(text: string, rarity: (term: string) => number): ReadonlyMap<string, number> {
  const terms = [...new Set(parseMessage(text).sentences.flat())].map(
    (term): readonly [string, number] => [term, wordWeight(term)],
  );
  if (terms.length <= MAX_MESSAGE_TERMS) return new Map(terms);
  const ranked = terms
    .map(([term, weight]) => ({ term, weight, value: weight * rarity(term) }))
    .toSorted((one, other) => other.value - one.value);
  return new Map(ranked.slice(0, MAX_MESSAGE_TERMS).map(({ term, weight }) => [term, weight]));
}

function wordWeight(term: string): number {
  return isSignificant(term) ? 1 : COMMON_WEIGHT;
}

function addTerms(terms: Map<string, number>, text: string, weight: number): void {
  for (const term of searchTerms(text)) addTerm(terms, term, weight * wordWeight(term));
}

function addTerm(terms: Map<string, number>, term: string, weight: number): void {
  terms.set(term, Math.max(terms.get(term) ?? 0, weight));
}

function addPath(terms: Map<string, number>, path: string): void {
  const parts = path.split("/");
  const name = parts.at(-1) ?? "";
  const stem = name.replace(/(?<=.)\.[^.]{1,8}$/, "");
  addTerms(terms, stem, NAME_WEIGHT);
  addTerms(terms, parts.slice(0, -1).join(" "), DIRECTORY_WEIGHT);
  for (const term of fileTerms(path)) addTerm(terms, term, FILE_WEIGHT);
}

const IDENTIFIER = /[A-Za-z_$][\w$]{2,63}(?:-[a-z]\w*)*/g;

/** The rarest identifiers of a text that some memory names. */
function addIdentifiers(
  terms: Map<string, number>,
  text: string,
  rarity: (term: string) => number,
): void {
  const found = new Map<string, number>();
  for (const [identifier] of text.slice(0, MAX_SCANNED_CHARACTERS).matchAll(IDENTIFIER)) {
    const own = searchTerms(identifier);
    const whole = own.length > 1 ? own.at(-1) : undefined;
    for (const term of own) {
      const weight = term === whole ? IDENTIFIER_WEIGHT : WORD_WEIGHT * wordWeight(term);
      if (rarity(term) < 1.05) addTerm(found, term, weight);
    }
  }
  const ranked = [...found]
    .map(([term, weight]) => ({ term, weight, value: weight * rarity(term) }))
    .toSorted((one, other) => other.value - one.value);
  for (const { term, weight } of ranked.slice(0, MAX_IDENTIFIERS)) addTerm(terms, term, weight);
}

const WRAPPERS: ReadonlySet<string> = new Set([
  "sudo",
  "time",
  "env",
  "exec",
  "nohup",
  "command",
  "bash",
  "sh",
  "cd",
]);

/** The first program of a command, as a term. */
function programOf(command: string): string | undefined {
  const words = command.slice(0, MAX_COMMAND_CHARACTERS).split(/[\s;&|()]+/);
  const program = words.find(
    (word) => word !== "" && !/^\w+=|^-|[/.]/.test(word) && !WRAPPERS.has(word),
  );
  return program === undefined ? undefined : searchTerms(program).at(-1);
}
