import { searchTerms } from "../search/analyzer/query-terms.ts";
import { isSignificant } from "../search/recall/common-words.ts";
import {
  asReply,
  isAgreement,
  pickedItem,
  proposalIn,
  questionBefore,
  withoutOrdinals,
} from "./answers.ts";
import { avoidedTerms } from "./avoided-terms.ts";
import { judgeTurn, type JudgedTurn, type SaidTurn } from "./judged-turn.ts";
import type { EntryNotes, NoteRecord } from "./note-record.ts";
import { mentionedPaths, pathTerms } from "./path-terms.ts";
import { spanOf, textOf, type Window, windowsOf } from "./window.ts";

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
 * agreed.
 */
export function findStatements(turns: readonly SaidTurn[]): EntryNotes {
  const judged = turns.map(judgeTurn);
  // The first message says what the conversation is about.
  const first = turns.find(({ role }) => role === "user");
  const title = searchTerms(first?.text.slice(0, 500) ?? "");
  const records = judged
    .flatMap((_, index) => statementsAt(judged, index, title))
    .slice(-MAX_STATEMENTS);
  const vocabulary = new Set(judged.flatMap(({ terms }) => terms));
  return { records, vocabulary: [...vocabulary].slice(0, MAX_VOCABULARY) };
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
  const [first] = turn.sentences;
  if (first === undefined || !isAgreement(first.text)) return undefined;
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
