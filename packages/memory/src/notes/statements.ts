import { searchTerms } from "../search/analyzer/query-terms.ts";
import { isSignificant } from "../search/recall/common-words.ts";
import { MAX_NOTE_TOKENS } from "./fit-text.ts";
import type { EntryNotes, NoteRecord, TextSpan } from "./note-record.ts";
import { avoidedTerms } from "./avoided-terms.ts";
import { mentionedPaths, pathTerms } from "./path-terms.ts";
import { type Sentence, splitSentences } from "./sentences.ts";
import { settling, type Settling } from "./settles.ts";

/** A turn of a conversation. */
export interface SaidTurn {
  /** The part of its document's id after `#`. */
  readonly at: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly atMs: number | undefined;
  /** Whether the agent may repeat what a tool returned. Such text is never shown. */
  readonly isTainted: boolean;
  /** The files that tools used since the turn before. */
  readonly touched: readonly string[];
}

/** A sentence and what it does. */
interface Judged extends Sentence, Settling {}

interface JudgedTurn extends SaidTurn {
  readonly sentences: readonly Judged[];
  readonly terms: readonly string[];
}

/** Below this, a sentence of the user settles nothing. */
const MIN_STRENGTH = 0.4;
/** The agent's own words count only if they are clear. */
const MIN_AGENT_STRENGTH = 1;
const AGENT_FACTOR = 0.6;
const CONFIRMED_STRENGTH = 0.9;
const MAX_STATEMENTS = 400;
const MAX_NEAR_TERMS = 120;
const MAX_VOCABULARY = 600;
/** With fewer significant words, a statement needs the question that it answers. */
const MIN_OWN_WORDS = 5;

/**
 * The statements of a conversation: what the user decided, corrected or explained, and what the agent proposed if the user
 * agreed. `first` is the user's first message, which says what the conversation is about.
 */
export function findStatements(turns: readonly SaidTurn[], first?: string): EntryNotes {
  const judged = turns.map(judgeTurn);
  const title = searchTerms(
    first ?? turns.find(({ role }) => role === "user")?.text.slice(0, 500) ?? "",
  );
  const records = judged
    .flatMap((_, index) => statementsAt(judged, index, title))
    .slice(-MAX_STATEMENTS);
  const vocabulary = new Set(judged.flatMap(({ terms }) => terms));
  return { records, vocabulary: [...vocabulary].slice(0, MAX_VOCABULARY) };
}

function judgeTurn(turn: SaidTurn): JudgedTurn {
  const sentences = splitSentences(turn.text).map((sentence) => ({
    ...sentence,
    ...settling(sentence.text),
  }));
  const paths = [...turn.touched, ...mentionedPaths(turn.text)];
  const terms = [...searchTerms(turn.text), ...paths.flatMap(pathTerms)];
  return { ...turn, sentences, terms };
}

function statementsAt(
  turns: readonly JudgedTurn[],
  index: number,
  title: readonly string[],
): readonly NoteRecord[] {
  const turn = turns[index];
  if (turn === undefined || (turn.role === "assistant" && turn.isTainted)) return [];
  const context = contextOf(turns, index, title);
  if (turn.role === "assistant") return agentStatements(turn, context);
  const agreed = agreedProposal(turns, index, context);
  const sentences = turn.sentences.map((sentence) => asReply(sentence, turns[index - 1]));
  const said = windowsOf(sentences, MIN_STRENGTH).map((window) => {
    const picked = pickedItem(turns[index - 1], window[0].text);
    const words = searchTerms(
      picked === undefined ? textOf(turn, window) : withoutOrdinals(textOf(turn, window)),
    );
    const own = [...new Set([...words, ...searchTerms(picked?.text ?? "")])];
    const isShort = words.filter(isSignificant).length < MIN_OWN_WORDS;
    const lead = isShort ? (picked?.span ?? questionBefore(turns, index)) : undefined;
    return recordOf(turn, { window, own, context, lead, factor: 1 });
  });
  return agreed === undefined ? said : [agreed, ...said];
}

const ANSWER_STRENGTH = 0.85;
const REPLY_STRENGTH = 0.7;
const TASK_STRENGTH = 0.2;
const FIRST_STRENGTH = 0.5;

/** What answers a question of the agent, or its options, settles them, however it is worded. */
function asReply(sentence: Judged, before: JudgedTurn | undefined): Judged {
  if (before === undefined && sentence.isModal) return { ...sentence, strength: FIRST_STRENGTH };
  const isTalk = sentence.isQuestion || sentence.strength <= TASK_STRENGTH;
  if (isTalk || before?.role !== "assistant") return sentence;
  const isAsked = before.sentences.some(
    ({ isQuestion, isItem, text }) => isQuestion || isItem || OFFER.test(text),
  );
  const strength = Math.max(sentence.strength, isAsked ? ANSWER_STRENGTH : REPLY_STRENGTH);
  return { ...sentence, strength };
}

const OFFER =
  /\b(?:i|we|one|you) (?:can|could|might)\b|\bor\b|\b(?:possible|options?|either|alternatively|ways?)\b/iu;

function agentStatements(turn: JudgedTurn, context: readonly string[]): readonly NoteRecord[] {
  return windowsOf(turn.sentences, MIN_AGENT_STRENGTH).map((window) =>
    recordOf(turn, {
      window,
      own: searchTerms(textOf(turn, window)),
      context,
      factor: AGENT_FACTOR,
    }),
  );
}

/** Sentences that are shown together. */
type Window = readonly [Judged, ...Judged[]];

interface RecordInput {
  readonly window: Window;
  readonly own: readonly string[];
  readonly context: readonly string[];
  readonly lead?: NoteRecord["lead"];
  readonly factor: number;
}

function recordOf(
  turn: JudgedTurn,
  { window, own, context, lead, factor }: RecordInput,
): NoteRecord {
  const words = new Set(own);
  const text = textOf(turn, window);
  const named = [...avoidedTerms(text), ...mentionedPaths(text).flatMap(pathTerms)];
  return {
    at: turn.at,
    kind: "statement",
    atMs: turn.atMs,
    strength: Math.max(...window.map(({ strength }) => strength)) * factor,
    amends: window.some(({ amends }) => amends),
    span: spanOf(window),
    lead,
    own: [...new Set([...own, ...named])],
    near: [...new Set(context)].filter((term) => !words.has(term)).slice(0, MAX_NEAR_TERMS),
  };
}

function spanOf(window: Window): TextSpan {
  return { from: window[0].from, to: window.at(-1)?.to ?? window[0].to };
}

function textOf({ text }: SaidTurn, window: Window): string {
  const { from, to } = spanOf(window);
  return text.slice(from, to);
}

/** Groups the sentences that settle something with their neighbors, as many as fit in a note. */
function windowsOf(sentences: readonly Judged[], minStrength: number): readonly Window[] {
  const windows: Window[] = [];
  for (let next = 0; next < sentences.length;) {
    const at = sentences.findIndex(({ strength }, i) => i >= next && strength >= minStrength);
    const first = sentences[at];
    if (first === undefined) break;
    const begin = beginOf(sentences, { at, next });
    const start = sentences[begin] ?? first;
    let end = at;
    for (let i = at + 1; i < sentences.length; i++) {
      const sentence = sentences[i];
      if (sentence === undefined || !fits(start, sentence)) break;
      if (sentence.isQuestion || sentence.strength === 0) continue;
      end = i;
    }
    windows.push([start, ...sentences.slice(begin + 1, end + 1)]);
    next = end + 1;
  }
  return windows;
}

/** Where a window begins that contains a sentence: with what was said just before it, unless that is only talk. */
function beginOf(
  sentences: readonly Judged[],
  { at, next }: { readonly at: number; readonly next: number },
): number {
  const last = sentences[at];
  let begin = at;
  while (begin > next) {
    const before = sentences[begin - 1];
    const isPart = before !== undefined && (before.isQuestion || before.strength > 0);
    if (!isPart || last === undefined || !fits(before, last)) break;
    begin--;
  }
  return begin;
}

const MAX_CHARACTERS = MAX_NOTE_TOKENS * 4;

function fits(first: Judged, last: Judged): boolean {
  const length = last.to - first.from;
  return length <= MAX_CHARACTERS;
}

/** What surrounds a turn: what was said before it, the files used around it, and the subject of the conversation. */
function contextOf(
  turns: readonly JudgedTurn[],
  index: number,
  title: readonly string[],
): readonly string[] {
  const before = turns.slice(Math.max(0, index - 2), index).toReversed();
  const after = turns.slice(index + 1, index + 4);
  const end = after.findIndex(({ role }) => role === "user");
  const following = end === -1 ? after : after.slice(0, end);
  const files = [turns[index], ...following, ...before].flatMap((turn) => turn?.touched ?? []);
  return [
    ...files.flatMap(pathTerms),
    ...title,
    ...before.flatMap(({ terms }) => terms.slice(0, MAX_NEAR_TERMS / 2)),
    // The agent repeats the subject of a short decision when it confirms it.
    ...following.slice(0, 1).flatMap(({ terms }) => terms.slice(0, MAX_NEAR_TERMS / 4)),
  ];
}

const AGREEMENT =
  /^(?:(?:yes|yep|yeah|yup|ok(?:ay)?|k|sure|agreed?|sounds? (?:good|great|right|fine)|do (?:that|it|so)|go (?:for|with) (?:it|that|this)|go ahead|perfect|exactly|right|correct|lgtm|ship it|please do|please|let'?s (?:do|go with) (?:that|it|this)|fine(?: by me| with me)?|works(?: for me)?|makes sense|good (?:idea|plan|call)|i (?:like|agree)(?: (?:that|it|with that))?|that(?:'s| is) (?:it|good|fine|right|perfect|what i want)|great|thanks|then|👍|ja|genau|oui|d'accord|sí|vale)[\s,.!;–-]*){1,5}$/iu;
const PROPOSAL =
  /\b(?:i(?:'d| would)? (?:suggest|recommend|propose|advise)|my (?:suggestion|recommendation|proposal)|we (?:could|should|can|'ll|will)|how about|shall (?:i|we)|should (?:i|we)|would you (?:like|want|prefer)|i (?:can|could|would)|let'?s|option|plan)\b/iu;
const ORDINALS: readonly RegExp[] = [
  /\b(?:option|number|variant|approach|choice|#)\s*(?:a|1|one)\b|\bthe (?:first|former)\b|^(?:a|1)[\s,.):;–-]/iu,
  /\b(?:option|number|variant|approach|choice|#)\s*(?:b|2|two)\b|\bthe second\b|^(?:b|2)[\s,.):;–-]/iu,
  /\b(?:option|number|variant|approach|choice|#)\s*(?:c|3|three)\b|\bthe third\b|^(?:c|3)[\s,.):;–-]/iu,
  /\b(?:option|number|variant|approach|choice|#)\s*(?:d|4|four)\b|\bthe fourth\b|^(?:d|4)[\s,.):;–-]/iu,
];

/** What the agent proposed, if the user only says that it is right, and perhaps what to do next. */
function agreedProposal(
  turns: readonly JudgedTurn[],
  index: number,
  context: readonly string[],
): NoteRecord | undefined {
  const [turn, before] = [turns[index], turns[index - 1]];
  if (turn === undefined || before?.role !== "assistant" || before.isTainted) return undefined;
  const [first] = turn.sentences;
  if (first === undefined || !AGREEMENT.test(first.text.slice(0, 200))) return undefined;
  // "Yes, but …" settles it in the user's own words.
  if (turn.sentences.slice(1).some(({ strength }) => strength >= MIN_STRENGTH)) return undefined;
  const window = proposalIn(before.sentences);
  if (window === undefined) return undefined;
  const record = recordOf(before, {
    window,
    own: searchTerms(textOf(before, window)),
    context: [...context, ...before.terms],
    factor: 1,
  });
  return { ...record, atMs: turn.atMs, strength: CONFIRMED_STRENGTH };
}

/** The last sentence that proposes something, with what follows it, or precedes it if that is a question. */
function proposalIn(sentences: readonly Judged[]): Window | undefined {
  const at = sentences.findLastIndex(({ text, isItem }) => !isItem && PROPOSAL.test(text));
  const first = sentences[at];
  if (first === undefined) return undefined;
  const earlier = sentences.findIndex(({ text }) => PROPOSAL.test(text));
  const start = sentences[earlier];
  const from = start !== undefined && fits(start, sentences.at(-1) ?? first) ? start : first;
  const window: [Judged, ...Judged[]] = [from];
  for (const sentence of sentences.slice(sentences.indexOf(from) + 1)) {
    if (!fits(from, sentence)) break;
    window.push(sentence);
  }
  return window;
}

/** The question that a short statement answers. Never tainted text. */
function questionBefore(turns: readonly JudgedTurn[], index: number): NoteRecord["lead"] {
  const before = turns[index - 1];
  const isTrusted = before?.role === "assistant" && !before.isTainted;
  const asked = isTrusted
    ? (before.sentences.findLast(({ isQuestion }) => isQuestion) ??
      before.sentences.find(({ text }) => PROPOSAL.test(text)))
    : undefined;
  if (before !== undefined && asked !== undefined)
    return { at: before.at, from: asked.from, to: asked.to };
  const user = turns.slice(0, index).findLast(({ role }) => role === "user");
  const question = user?.sentences.findLast(({ isQuestion }) => isQuestion) ?? user?.sentences[0];
  return user === undefined || question === undefined
    ? undefined
    : { at: user.at, from: question.from, to: question.to };
}

function withoutOrdinals(text: string): string {
  return ORDINALS.reduce((rest, ordinal) => rest.replace(ordinal, " "), text);
}

interface PickedItem {
  readonly text: string;
  readonly span: NonNullable<NoteRecord["lead"]>;
}

/** The item of the agent's list that the user picked: "number 2". Never tainted text. */
function pickedItem(before: JudgedTurn | undefined, answer: string): PickedItem | undefined {
  if (before?.role !== "assistant" || before.isTainted) return undefined;
  const at = ORDINALS.findIndex((ordinal) => ordinal.test(answer));
  const item = before.sentences.filter(({ isItem }) => isItem)[at];
  return item && { text: item.text, span: { at: before.at, from: item.from, to: item.to } };
}
