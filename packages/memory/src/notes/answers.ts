import type { Judged, JudgedTurn } from "./judged-turn.ts";
import type { NoteRecord } from "./note-record.ts";
import { STRENGTH } from "./settles.ts";
import { fits, type Window } from "./window.ts";

const AGREEMENT =
  /^(?:(?:yes|yep|yeah|yup|ok(?:ay)?|k|sure|agreed?|sounds? (?:good|great|right|fine)|do (?:that|it|so)|go (?:for|with) (?:it|that|this)|go ahead|perfect|exactly|right|correct|lgtm|ship it|please do|please|let'?s (?:do|go with) (?:that|it|this)|fine(?: by me| with me)?|works(?: for me)?|makes sense|good (?:idea|plan|call)|(?:i )?(?:like|love|agree)(?: (?:that|it|this|with that))?|i'm in|deal|\+1|yes please|let'?s go|that(?:'s| is) (?:it|good|fine|right|perfect|what i want)|great|thanks|then|👍|ja|genau|oui|d'accord|sí|vale)[\s,.!;–-]*){1,5}$/iu;
const PROPOSAL =
  /\b(?:i(?:'d| would)? (?:suggest|recommend|propose|advise)|my (?:suggestion|recommendation|proposal)|we (?:could|should|can|'ll|will)|how about|shall (?:i|we)|should (?:i|we)|would you (?:like|want|prefer)|i (?:can|could|would)|let'?s|option|plan)\b/iu;
const ORDINALS: readonly RegExp[] = [
  /\b(?:option|number|variant|approach|choice|#)\s*(?:a|1|one)\b|\bthe (?:first|former)\b|^(?:a|1)[\s,.):;–-]/iu,
  /\b(?:option|number|variant|approach|choice|#)\s*(?:b|2|two)\b|\bthe second\b|^(?:b|2)[\s,.):;–-]/iu,
  /\b(?:option|number|variant|approach|choice|#)\s*(?:c|3|three)\b|\bthe third\b|^(?:c|3)[\s,.):;–-]/iu,
  /\b(?:option|number|variant|approach|choice|#)\s*(?:d|4|four)\b|\bthe fourth\b|^(?:d|4)[\s,.):;–-]/iu,
];

/** A few words that refer to what was proposed: "ok, take those", "good, like that for all queues". */
const REFERRING =
  /\b(?:like (?:that|this)|(?:take|use|do|keep|pick|want) (?:that|those|these|it|them|both)|that(?:'s| is) (?:the (?:rule|way|plan|one)|how we|what we)|go(?: ahead| on| for it)?$|agreed|exactly|so be it|as you (?:say|said|suggest|propose)|the way you|your (?:proposal|suggestion|version|numbers))\b/iu;
const OBJECTION = /\b(?:but|not|no|don'?t|never|except|however|instead|rather)\b/iu;
const MAX_REFERRING_WORDS = 12;

/** Whether a sentence says that what was proposed is right, and nothing against it. */
export function isAgreement(sentence: string): boolean {
  const plain = sentence.slice(0, 200).replaceAll(/[’‘]/g, "'");
  if (AGREEMENT.test(plain)) return true;
  const isShort = plain.split(/\s+/u).length <= MAX_REFERRING_WORDS;
  return isShort && REFERRING.test(plain) && !OBJECTION.test(plain);
}

/** Whether a sentence limits what was agreed to. */
export function isObjection(sentence: string): boolean {
  return /^(?:but|except|however|only not)\b|\bbut\b/iu.test(sentence);
}

/** The sentences that propose something, with what follows them; the last ones if none of them says so. */
export function proposalIn(sentences: readonly Judged[]): Window | undefined {
  const at = sentences.findLastIndex(({ text, isItem }) => !isItem && PROPOSAL.test(text));
  const first = sentences[at] ?? lastThatFits(sentences);
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

function lastThatFits(sentences: readonly Judged[]): Judged | undefined {
  const last = sentences.at(-1);
  return last && sentences.find((sentence) => fits(sentence, last));
}

/** The question that a short statement answers. Never tainted text. */
export function questionBefore(turns: readonly JudgedTurn[], index: number): NoteRecord["lead"] {
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

export function withoutOrdinals(text: string): string {
  return ORDINALS.reduce((rest, ordinal) => rest.replace(ordinal, " "), text);
}

interface PickedItem {
  readonly text: string;
  readonly span: NonNullable<NoteRecord["lead"]>;
}

/** The item of the agent's list that the user picked: "number 2". Never tainted text. */
export function pickedItem(before: JudgedTurn | undefined, answer: string): PickedItem | undefined {
  if (before?.role !== "assistant" || before.isTainted) return undefined;
  const at = ORDINALS.findIndex((ordinal) => ordinal.test(answer));
  const items = before.sentences.filter(({ isItem }) => isItem);
  const item = (items.length > 0 ? items : inlineItems(before.text))[at];
  return item && { text: item.text, span: { at: before.at, from: item.from, to: item.to } };
}

const INLINE_ITEM =
  /(?<![\w(])\(?(?:[a-d]|[1-4])\)\s+([^\n]{3,400}?)(?=[,;.]?\s+(?:or |and )?\(?(?:[a-d]|[1-4])\)\s|[.;]\s|[.;]?$|\n)/gimu;

/** The options within a sentence: "(a) a number, (b) a string". */
function inlineItems(
  text: string,
): readonly { readonly text: string; readonly from: number; readonly to: number }[] {
  return Array.from(text.slice(0, 4_000).matchAll(INLINE_ITEM), (match) => {
    const [whole, option = ""] = match;
    const from = match.index + whole.length - option.length;
    return { text: option, from, to: from + option.length };
  });
}

const ANSWER_STRENGTH = 0.85;
const REPLY_STRENGTH = 0.7;
const ORDER_STRENGTH = 0.6;
const FIRST_STRENGTH = 0.5;

/** What answers a question of the agent, or its options, settles them, however it is worded. */
export function asReply(sentence: Judged, before: JudgedTurn | undefined): Judged {
  if (before === undefined && sentence.isModal) return { ...sentence, strength: FIRST_STRENGTH };
  if (sentence.isQuestion || before?.role !== "assistant") return sentence;
  const isAsked = before.sentences.some(
    ({ isQuestion, isItem, text }) => isQuestion || isItem || OFFER.test(text),
  );
  return { ...sentence, strength: replyStrength(sentence, isAsked) };
}

function replyStrength({ strength, text }: Judged, isAsked: boolean): number {
  switch (strength) {
    case STRENGTH.talk:
    case STRENGTH.hedged:
      return strength;
    case STRENGTH.fragment:
      return isAsked ? ANSWER_STRENGTH : strength;
    case STRENGTH.task:
      // An order settles what the agent asked; otherwise, and after "yes", it is the next task.
      return isAsked && !GO_AHEAD.test(text) ? ORDER_STRENGTH : strength;
    default:
      return Math.max(strength, isAsked ? ANSWER_STRENGTH : REPLY_STRENGTH);
  }
}

const GO_AHEAD =
  /^(?:yes|yep|yeah|yup|ok(?:ay)?|sure|please|go ahead|right|good|great|perfect|fine|ja|oui)\b/iu;
const OFFER =
  /\b(?:i|we|one|you) (?:can|could|might)\b|\bwould\b|\bi'd\b|\bor\b|\b(?:possible|options?|either|alternatively|ways?)\b/iu;
