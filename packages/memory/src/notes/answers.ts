import type { Judged, JudgedTurn } from "./judged-turn.ts";
import type { NoteRecord } from "./note-record.ts";
import { fits, type Window } from "./window.ts";

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

/** Whether all that a sentence says is that something is right. */
export function isAgreement(sentence: string): boolean {
  return AGREEMENT.test(sentence.slice(0, 200));
}

/** The last sentence that proposes something, with what follows it, or precedes it if that is a question. */
export function proposalIn(sentences: readonly Judged[]): Window | undefined {
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
  const item = before.sentences.filter(({ isItem }) => isItem)[at];
  return item && { text: item.text, span: { at: before.at, from: item.from, to: item.to } };
}

const ANSWER_STRENGTH = 0.85;
const REPLY_STRENGTH = 0.7;
const TASK_STRENGTH = 0.2;
const FIRST_STRENGTH = 0.5;

/** What answers a question of the agent, or its options, settles them, however it is worded. */
export function asReply(sentence: Judged, before: JudgedTurn | undefined): Judged {
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
