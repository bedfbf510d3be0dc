import { searchTerms } from "../search/analyzer/query-terms.ts";
import { isSignificant } from "../search/recall/common-words.ts";
import {
  asReply,
  isAgreement,
  isObjection,
  pickedItem,
  proposalIn,
  questionBefore,
  withoutOrdinals,
} from "./answers.ts";
import { avoidedTerms } from "./avoided-terms.ts";
import { judgeTurn, type JudgedTurn, type SaidTurn } from "./judged-turn.ts";
import { type EntryNotes, MAX_COUNT, type NoteRecord } from "./note-record.ts";
import { asOpening } from "./opening.ts";
import { mentionedPaths, pathTerms } from "./path-terms.ts";
import { isGeneral } from "./settles.ts";
import { spanOf, textOf, type Window, windowsOf } from "./window.ts";

/** Below this, a sentence of the user settles nothing. */
const MIN_STRENGTH = 0.4;
/** The agent's own words count only if they are clear. */
const MIN_AGENT_STRENGTH = 1;
const AGENT_FACTOR = 0.6;
const CONFIRMED_STRENGTH = 0.9;
const CONFIRMED_QUESTION_STRENGTH = 0.75;
/** Users agree before they say anything else. */
const MAX_AGREEING_SENTENCES = 3;
/** Of a passage. */
const MAX_STATEMENTS = 100;
const MAX_TITLE_CHARACTERS = 500;
const MAX_NEAR_TERMS = 120;
const MAX_VOCABULARY = 600;
/** With fewer significant words, a statement needs the question that it answers. */
const MIN_OWN_WORDS = 5;

/**
 * The statements of a conversation: what the user decided, corrected or explained, and what the agent proposed if the user
 * agreed. A long conversation has several subjects, so it is split into passages.
 */
export function findStatements(turns: readonly SaidTurn[]): EntryNotes {
  const judged = turns.map(judgeTurn);
  return passagesOf(judged).map(({ from, to }) => {
    const passage = judged.slice(from, to);
    const opening = passage.find(({ role }) => role === "user");
    const title = searchTerms(opening?.text.slice(0, MAX_TITLE_CHARACTERS) ?? "");
    const records = passage.flatMap((_, at) => statementsAt(judged, from + at, title));
    return {
      title,
      vocabulary: vocabularyOf(passage),
      records: records.slice(-MAX_STATEMENTS),
    };
  });
}

/** How often a word occurs says what a passage is about, so terms are repeated. */
function vocabularyOf(passage: readonly JudgedTurn[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const term of passage.flatMap(({ terms }) => terms))
    counts.set(term, Math.min(MAX_COUNT, (counts.get(term) ?? 0) + 1));
  return [...counts]
    .slice(0, MAX_VOCABULARY)
    .flatMap(([term, count]) => Array.from({ length: count }, () => term));
}

const MIN_PASSAGE_TURNS = 8;

/** Where the passages of a conversation begin and end. Each begins with a message of the user. */
function passagesOf(
  turns: readonly JudgedTurn[],
): readonly { readonly from: number; readonly to: number }[] {
  const starts = [0];
  for (const [at, { role }] of turns.entries()) {
    if (role === "user" && at - (starts.at(-1) ?? 0) >= MIN_PASSAGE_TURNS) starts.push(at);
  }
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? turns.length }));
}

function statementsAt(
  turns: readonly JudgedTurn[],
  index: number,
  title: readonly string[],
): readonly NoteRecord[] {
  const turn = turns[index];
  if (turn === undefined || (turn.role === "assistant" && turn.isTainted)) return [];
  const context = contextOf(turns, index, title);
  if (turn.role === "assistant")
    return answersQuestion(turns, index) ? [] : agentStatements(turn, context);
  const agreed = agreedProposal(turns, index, context);
  const isSettledNext = settlesNext(turns, index);
  const isOpening = !turns.slice(0, index).some(({ role }) => role === "user");
  const sentences = isOpening
    ? turn.sentences.map((sentence, at) =>
        asOpening(sentence, { before: turn.sentences[at - 1], isSettledNext }),
      )
    : turn.sentences.map((sentence) => asReply(sentence, turns[index - 1]));
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

/** Whether the next message of the user settles what this one raises. */
function settlesNext(turns: readonly JudgedTurn[], index: number): boolean {
  const next = turns.findIndex(({ role }, at) => at > index && role === "user");
  return (
    turns[next]?.sentences.some(
      (sentence) => asReply(sentence, turns[next - 1]).strength >= MIN_SETTLING,
    ) === true
  );
}

const MIN_SETTLING = 0.7;

/** Whether the user asked how something is: the answer describes it and decides nothing. */
function answersQuestion(turns: readonly JudgedTurn[], index: number): boolean {
  const before = turns[index - 1];
  return before?.role === "user" && before.sentences.at(-1)?.isQuestion === true;
}

function agentStatements(turn: JudgedTurn, context: readonly string[]): readonly NoteRecord[] {
  const sentences = turn.sentences.filter(({ text }) => !REPORT.test(text));
  return windowsOf(sentences, MIN_AGENT_STRENGTH).map((window) =>
    recordOf(turn, {
      window,
      own: searchTerms(textOf(turn, window)),
      context,
      factor: AGENT_FACTOR,
    }),
  );
}

/** What the agent does is not a decision. */
const REPORT =
  /^(?:(?:ok(?:ay)?|yes|done|sure|understood|right)[,.:;!]*\s+)*I(?:'ll|'ve|'d|'m| will| have| am| added| used| changed| put| kept| made)\b/iu;

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
    isGeneral: isGeneral(text),
    span: spanOf(window),
    lead,
    own: [...new Set([...own, ...named])],
    near: [...new Set(context)].filter((term) => !words.has(term)).slice(0, MAX_NEAR_TERMS),
  };
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

/** What the agent proposed, if the user only says that it is right, and perhaps what to do next. */
function agreedProposal(
  turns: readonly JudgedTurn[],
  index: number,
  context: readonly string[],
): NoteRecord | undefined {
  const [turn, before] = [turns[index], turns[index - 1]];
  if (turn === undefined || before?.role !== "assistant" || before.isTainted) return undefined;
  if (!turn.sentences.slice(0, MAX_AGREEING_SENTENCES).some(({ text }) => isAgreement(text)))
    return undefined;
  // "Yes, but …" settles it in the user's own words.
  if (turn.sentences.slice(1).some(({ text }) => isObjection(text))) return undefined;
  const window = proposalIn(before.sentences);
  if (window === undefined) return undefined;
  const record = recordOf(before, {
    window,
    own: searchTerms(textOf(before, window)),
    context: [...context, ...before.terms],
    factor: 1,
  });
  // A question that was answered with "yes" says less than a proposal.
  const isQuestion = window.every((sentence) => sentence.isQuestion);
  const strength = isQuestion ? CONFIRMED_QUESTION_STRENGTH : CONFIRMED_STRENGTH;
  return { ...record, atMs: turn.atMs, strength };
}
