import type { Judged } from "./judged-turn.ts";
import { STRENGTH } from "./settles.ts";

/** What only raises a matter, in the first message of a conversation. */
const RAISED = 0.3;
const CHANGE_STRENGTH = 0.9;
const RULE_STRENGTH = 0.8;
const REPLACED_STRENGTH = 0.7;

/**
 * Judges a sentence of the first message of a conversation, which usually raises a matter: it reports a problem or sets a task.
 * But it settles one if it announces a change, or says how things are done in general.
 */
export function asOpening(sentence: Judged, context: OpeningContext): Judged {
  return { ...sentence, strength: openingStrength(sentence, context) };
}

export interface OpeningContext {
  /** The sentence before it. */
  readonly before: Judged | undefined;
  /** Whether the user's next message settles the matter, so that this one only raises it. */
  readonly isSettledNext: boolean;
}

function openingStrength(
  { text, strength, isRule, isQuestion }: Judged,
  { before, isSettledNext }: OpeningContext,
): number {
  const plain = text.slice(0, 1_000).replaceAll(/[’‘]/g, "'").trim();
  if (isQuestion || strength <= STRENGTH.hedged) return Math.min(strength, RAISED);
  if (isRule) return strength;
  if (ANNOUNCED.test(plain)) return CHANGE_STRENGTH;
  if (REPLACING.test(plain)) return REPLACED_STRENGTH;
  if (strength === STRENGTH.task) return RAISED;
  if (CHANGED.test(plain) && !PROBLEM.test(plain)) return CHANGE_STRENGTH;
  if (isSettledNext) return RAISED;
  return isOrder(plain, before) || isGeneral(plain) ? RULE_STRENGTH : RAISED;
}

function isOrder(plain: string, before: Judged | undefined): boolean {
  return ORDER.test(plain) && (GENERAL.test(plain) || before !== undefined);
}

function isGeneral(plain: string): boolean {
  if (PROBLEM.test(plain)) return false;
  return DECIDED.test(plain) || (GENERAL.test(plain) && STATED.test(plain) && !TOLD.test(plain));
}

/** What holds from a day on, whatever the sentence is about. */
const ANNOUNCED =
  /\b(?:from now on|going forward|as of (?:now|today|this|next|\w+day|\d)|since (?:today|yesterday|this morning)|effective|starting (?:today|now|with|next)|from (?:today|tomorrow|next|this) (?:on|week|month|sprint|release|version)|starting (?:in|on) |(?:we|we've|i|i've|they|team|legal|security|finance|ops|product|management|marketing|audit) (?:have |has |had |'ve )?(?:\w+ ){0,2}(?:decided|agreed|settled|chose|opted|picked|switched|moved|changed|replaced|dropped|standardi[sz]ed)\b|change of plans?|changed (?:our|my|their) minds?|new (?:rule|policy|convention|standard|decision|guideline)|(?:rule|policy|convention|decision|update|reminder|note|heads-?up|correction)\s*[:–-]\s)/iu;
/** A task that replaces one thing by another. What it names is what holds afterwards. */
const REPLACING =
  /^(?:(?:please|ok(?:ay)?|so|and|now|let'?s|we(?: should| need to| want to| have to)?|can you|i(?:'d| would) like (?:you )?to|i want (?:you )?to|time to)\b[\s,]*){0,3}(?:(?:switch|move|migrate|change|convert|port)\b.{1,80}\b(?:from\b.{1,60}\bto|(?:over|back) to)\b|(?:raise|lower|increase|reduce|bump|cut|extend|shorten|limit|cap|set)\b.{1,60}\b(?:to|at|by) (?:\w+ )?\d|replace\b.{1,60}\b(?:with|by)\b|switch(?:ing)? (?:\w+ ){0,5}to\b)/iu;
/** How something is now, as opposed to before. */
const CHANGED =
  /\b(?:(?:is|are|goes?|use|uses|runs?|comes?|lives?|we|gets?|has|have|stays?|moves?|belongs?|happens?|served|stored|kept|deleted|sent|called|named) now|now (?:is|are|goe?s?|uses?|runs?|comes?|lives?|gets?|has|have|moves?|on|in|over|at|through|with|called|named|only|stored|sent|kept|deleted)|(?:we|we're|they|it) no longer|no longer (?:use|need|want|support|allow|accept|keep|store|send|do|run|supported|allowed|used|needed)|instead of|rather than|(?:switching|moving|migrating|going) (?:\w+ ){0,6}(?:to|over|from|away)\b|(?:moves?|switch(?:es)?|changes?|goes up|goes down|rises|drops) (?:\w+ ){0,3}(?:to|from)\b|(?:is|are|gets?|was|were|has been|have been) (?:now )?(?:replaced|superseded|deprecated|retired|obsolete|phased out|shut down|switched off|dropped|banned|forbidden)|goes? away|(?:is|are|will be) gone|not .{1,60} any ?more|no(?:body| one) .{1,60} any ?more|used to .{1,80}\bnow)\b/iu;
/** An order about how things are done. */
const ORDER =
  /^(?:(?:so|and|but|please|then|in (?:the )?(?:\S+ )?\S+|for (?:\S+ ){1,4}\S+)\b[\s,:]*){0,2}(?:use|always|never|only|prefer|avoid|stick|keep|don'?t|do not|no(?= )|write .{1,60} in |treat|make sure|be sure|remember)\b/iu;
/** What a sentence is about in general, and not only now. */
const GENERAL =
  /\b(?:every|each|all|any|only|always|never|no(?:body| one)|nothing|everything|everyone|everywhere|anywhere|none|no .{1,40} (?:in|on|for|from|at) |new \w+s|at (?:most|least)|max(?:imum)?|min(?:imum)?|by default|per \w+|not .{1,60} but|but not|please|,? (?:and )?not (?:a|an|the|in|on|with|by|from|at)?)\b/iu;
/** Something is so, as opposed to something that happened. */
const STATED =
  /\b(?:is|are|must|may|may not|can(?:not|'t)|shall|should|have to|has to|need(?:s)? to|goes|go|comes?|lives?|belongs?|stays?|stick|gets?|use|uses|takes?|runs?|starts?|ends?|begins?|counts?|has|have|write|writes|sells|keep|keeps|send|sends|store|stores|round|rounds|want|wants|prefer|take|serve|pays?|needs?|requires?|allow|log|logs)\b/iu;
/** Of what happened, or of what someone else does. */
const TOLD =
  /\b(?:yesterday|last (?:night|week|month|year)|this (?:morning|week|afternoon)|was|were|had|did|got|went|happened|said|says|told|asked|reported|complain(?:s|ed|ing)?|noticed|saw|i (?:need|see|get|got|have))\b/iu;
const PROBLEM =
  /\b(?:broken|breaks?|broke|fail(?:s|ed|ing|ure)?|crash(?:es|ed|ing)?|wrong(?:ly)?|errors?|bugs?|throws?|thrown|missing|slow|hangs?|stuck|complain(?:s|ed|ing|ts?)?|lost|loses?|disappear(?:s|ed)?|vanish(?:es|ed)?|does(?:n'?t| not) (?:work|show|appear|load|open|match|fit|update|start|stop|get|do|find|see|fire|exist)|do(?:n'?t| not) (?:work|show|appear|match|fit)|did(?:n'?t| not)|isn'?t (?:working|shown|there|centered|updated)|can'?t (?:\w+ ){0,2}(?:open|log|see|find|save|read)|flaky|leaks?|times? out|timed out|out of memory|twice|duplicate[ds]?|off by|too (?:long|slow|many|much|late|early|big|small)|weird|strange|somehow|suddenly|fix)\b/iu;
/** A choice in the user's own name. */
const DECIDED =
  /\b(?:(?:we|i)(?:'ll| will|'re going to| are going to|'d| would)? (?:go|take|stick|stay|settle|standardi[sz]e) (?:with|on|for|to)|we(?:'re| are) (?:using|switching|moving|going with|standardi[sz]ing|dropping)|we (?:use|take|keep|want|prefer|don'?t|do not|never|always|only)|i'd (?:go with|rather|prefer)|the (?:\w+ ){1,3}is \S*\d)\b/iu;
