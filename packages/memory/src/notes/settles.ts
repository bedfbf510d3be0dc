/** How much a sentence settles a matter. */
export interface Settling {
  /** From 0 (it raises the matter, or is only talk) to 1 (a rule or a decision). */
  readonly strength: number;
  /** Whether it replaces what held before. */
  readonly amends: boolean;
  readonly isQuestion: boolean;
  /** Whether it only says what has to be, which may be the task at hand. */
  readonly isModal: boolean;
  /** Whether it says that it holds from now on, and not only for the task at hand. */
  readonly isRule: boolean;
}

const QUESTION =
  /\?["')\]]*\s*$|^(?:(?:and|but|so|hm+|ok(?:ay)?|well)[,.]?\s+)*(?:why|how|what|who|which|where|when|should (?:we|i)|shall (?:we|i)|do (?:we|you)|does|did|is (?:it|there|this|that)|are (?:we|there|you)|any (?:idea|thoughts)|wdyt|thoughts)\b/iu;
/** A question that is a polite request. */
const POLITE =
  /^(?:can|could|would|will) (?:you|we) (?:please |maybe )?(?:use|keep|make|stick|avoid|not|set|always|never|leave|switch)\b/iu;
const HEDGE =
  /\b(?:maybe|perhaps|might|not sure|unsure|wonder(?:ing)?|what if|what about|how about|could (?:we|also)|(?:was |am |'m |are |we're )(?:thinking|considering|leaning|tempted)|considered|thought (?:about|of)|let'?s (?:discuss|think|talk|see|look|find out|check)|have to (?:think|check|decide)|undecided|to be decided|tbd|either .{1,60} or|option [abc12]\b.{0,200}\boption|on the (?:one|other) hand|in theory|for the sake of|(?:just|only) a proposal|vielleicht|könnten wir|peut-être|quizás?)\b/iu;
const TALK =
  /^(?:(?:thanks|thank you|thx|cheers|great|perfect|nice|cool|awesome|good (?:job|work|morning)|hi|hello|hey|bye|lol|haha|hm+|ok(?:ay)?|yes|yep|yeah|no|nope|sure|alright|got it|understood|right|fine|done|danke|merci|gracias|oh|ah|wow|looks? good|lgtm|well done|that (?:works|worked)|it works?|works|(?:i )?(?:was )?just (?:wanted to (?:know|check|understand)|curious|asking|checking|wondering)|good to know|that(?:'s| is| was) all|never ?mind|makes sense|i see|interesting)\b[\s,.!:;–-]*){1,4}$/iu;

const RULES: readonly RegExp[] = [
  /\b(?:always|never|ever|forbidden|mandatory|no exceptions?|under no circumstances|not negotiable|by convention|our (?:convention|rule|policy|standard)|the (?:rule|convention|policy|decision|agreement) (?:is|was)|as a rule)\b/iu,
  /\b(?:from now on|going forward|in (?:the )?future|henceforth|as of (?:now|today|this)|starting (?:now|today|with)|from here on|until further notice)\b/iu,
  /\b(?:we|i|team|they|ops|legal|security|product) (?:have |has |'ve )?(?:(?:just |finally |all |already )*)(?:decided|agreed|settled|chose|opted|standardi[sz]ed|picked|committed to|signed off)\b/iu,
  /\b(?:decision|verdict|conclusion|final(?:ly)?|agreed|settled|decided)\s*[:–-]|\bthat(?:'s| is) (?:decided|settled|final)\b|\bit(?:'s| is) (?:decided|settled)\b/iu,
  /\b(?:let'?s|let us|we(?:'ll| will|'re going to| are going to| should)?|i(?:'ll| will|'d rather|'d prefer)|we'd) (?:(?:just|then|also|rather|better|simply|only|all|really) )*(?:go|use|stick|keep|do|make|take|pick|choose|set|cap|limit|stay|settle|stay|leave|drop|avoid|skip|prefer|move|switch|adopt|standardi[sz]e|store|put|name|call|ship|run|require|treat|return|send|round|retry|log|write|split|pin|support|target|default|allow|disable|enable|turn|wait|ban|refuse|reject|throw|cache|hash|sign|sort|order|reserve|expose|hide|deploy|release|tag|format|import|test|mock)\b/iu,
  /\b(?:don'?t|do not|no more|avoid|stop|refrain from) (?!worry|bother|know|think|mind|see|forget to (?:eat|sleep)|get it|understand|remember|care|have)\p{L}/iu,
  /\b(?:i|we|they) (?:want|prefer|insist|expect|require|need) (?!to (?:know|see|understand|ask|find|check|look))/iu,
  /\b(?:remember|keep in mind|bear in mind|note that|important|careful|fyi|don'?t forget|make sure|be sure)\b/iu,
  /\b(?:instead of|rather than|no longer|not .{1,60} any ?more|in favou?r of|over to|changed (?:our|my|their) minds?|scratch that|scrap(?:ped)? (?:that|the)|on second thoughts?|turns out)\b/iu,
  /\b(?:only|exactly|at most|at least|no more than|no less than|up to|max(?:imum)?|min(?:imum)?|capped? at|limit(?:ed)? (?:of|to)|within|default(?:s)? (?:to|of|is)) (?:\w+ ){0,3}?\d/iu,
  /(?:^|[,;:–—.-]\s*|\b(?:then|so|and|but|that|please) )no (?!idea|problem|worries|clue|one|way|rush|need|longer|big|more questions|changes?\b|result|luck|difference|thanks|no\b)\p{L}|\b(?:no(?:body| one)|none of|everyone|everything|nothing) (?:\w+ ){0,2}(?:runs?|uses?|sets?|goes|stays?|belongs?|must|may|should|else|is|has|touch)|\bbelongs? (?:in|into|to)\b|\bi'd rather\b|\b(?:is|are|remains?) (?:now )?(?:the|our) (?:new )?(?:minimum|maximum|default|limit|standard|rule|norm|only)\b|\bit is\.?$/iu,
  // German, French, Spanish
  /(?<!\p{L})(?:immer|niemals|nie|ab jetzt|ab sofort|künftig|wir (?:nehmen|benutzen|verwenden|machen|bleiben)|lass uns|statt(?:dessen)?|nicht mehr|toujours|jamais|désormais|on (?:utilise|prend|garde)|au lieu de|siempre|nunca|a partir de ahora|usamos|en vez de)(?!\p{L})/iu,
];

/** What has to be: a rule in an answer, but the task itself in the first message of a conversation. */
const MODAL =
  /\b(?:must(?:n't)?|must not|may not|have to|has to|needs? to be|is (?:not )?allowed|required|should (?:always|never|not|be))\b/iu;

/** At the start of a sentence: an order about how something is done, not what is to be done next. */
const HOW =
  /^(?:(?:no|nope|yes|yeah|yep|ok(?:ay)?|right|then|and|so|also|but|well|hm+|actually|please|alright|good|fine|sure|agreed|great|perfect|thanks|oh|sorry|wait|nah|cool|fair(?: enough)?|good (?:point|call|catch)|in that case|for (?:that|this|now)|this time)\b[\s,.:;!–-]*){0,4}(?:use|keep|make (?:it|that|them|those|sure|the)|set|cap|limit|stick|go (?:with|for)|take|prefer|avoid|skip|leave|drop|only|always|never|put|name|call|stay|treat|reserve|pin|default|require|round|retry|store|prefix|suffix|default|reject|refuse|option|the (?:first|second|third|former|latter|last)|number \d|[a-d1-5][,.)]\s|not )\b/iu;
/** What is to be done now, and not again. */
const TASK =
  /^(?:(?:please|yes|yeah|yep|can you|could you|now|then|next|also|ok(?:ay)?|and|so|great|thanks|good|perfect|alright|i(?:'d| would) like you to|i want you to|i need(?: you to)?|we need(?: to)?|let'?s|you can|go ahead and|time to)\b[\s,.:;!–-]*){0,4}(?:add|fix|write|create|implement|build|refactor|update|remove|delete|rename|look|show|run|check|explain|review|find|read|open|investigate|debug|help|tell|give|list|change(?! of)|clean|move|migrate|generate|document|commit|push|extract|convert|wire|hook|try|test|continue|start|finish|summari[sz]e|walk|have a look|take a look|figure|get|bump|upgrade|port|replace|merge|port|tidy|rework|improve|speed|sketch|draft|make a|print|search|grep)\b/iu;
const AMENDS =
  /\b(?:instead|rather than|no longer|no more|any ?more|from now on|going forward|as of (?:now|today)|changed? (?:our|my|their|of) (?:mind|plan)s?|change of plans?|switch(?:ed|ing)?(?: (?:over|back|away|from|to))?|actually|scratch that|scrap|scrapped|revert(?:ed|ing)?|mov(?:e|ed|ing) (?:\w+ ){0,4}(?:away )?(?:from|to|over)|drop(?:ped)?|bump(?:ed)?|rais(?:e|ed)|lower(?:ed)?|increas(?:e|ed)|decreas(?:e|ed)|reduc(?:e|ed)|new rule|correction|were wrong|was wrong|turns out|used to|previously|earlier|originally|before(?:hand)?|last (?:week|month|time|year)|replac(?:e|es|ed|ing)|supersed|overrul|obsolete|deprecat|forget (?:what|the|about)|not \S+(?: \S+){0,4},? but|change(?:d)? (?:that|this|it|the|our)|updat(?:e|ed|ing) (?:our|the|that|to)|now (?:use|we|it|that|has|have|is|are|goes|go)|revis(?:e|ed|it|ited)|reconsider(?:ed)?|second thoughts?|statt|nicht mehr|plus jamais|désormais|ya no)\b/iu;
/** Limits a sentence to the present occasion. */
const FOR_NOW =
  /\b(?:for now|right now|for the moment|at the moment|this time|just this once|later|some other time|erstmal|diesmal|pour l'instant|por ahora)\b/iu;
/** Thinking aloud. */
const PONDERING = /^(?:hm+|uh+m*|well,? (?:on|i)|let me think)\b/iu;
const SPECIFIC = /\d|`[^`]+`|["“'][^"”']{2,40}["”']|\b[a-z]+[A-Z]\w+|\b\w+_\w+|\b[\w-]+\/[\w-]+/u;
const LASTING =
  /\b(?:always|never(?! (?:\w+ed|came|was|were|had|got|saw|went|made|did|ran)\b)|from now on|going forward|in (?:the )?future|henceforth|as of (?:now|today)|by convention|(?:our|the) (?:convention|rule|policy|standard)|(?:we|i|team) (?:have |'ve )?(?:decided|agreed|settled|chose|standardi[sz]ed)|change of plans?|remember|keep in mind|don'?t forget|note that|fyi|(?:please )?(?:don'?t|do not) (?:use|run|add|write|import|call|put|commit|push|touch|deploy)|no more|we (?:use|want|prefer|only|stick)|must(?:n't| not| always| never))\b/iu;
const MIN_FACT_WORDS = 5;

/** What settles nothing by itself, but may as an answer. */
export const STRENGTH = { talk: 0, fragment: 0.1, hedged: 0.15, task: 0.2 } as const;

/** Judges a sentence by its words. */
export function settling(sentence: string): Settling {
  const plain = sentence.slice(0, 1_000).replaceAll(/[’‘]/g, "'").trim();
  const amends = AMENDS.test(plain);
  const isQuestion = QUESTION.test(plain);
  if (isQuestion)
    return {
      strength: POLITE.test(plain) ? 0.4 : 0,
      amends: false,
      isQuestion,
      isModal: false,
      isRule: false,
    };
  const isModal = MODAL.test(plain) && !HOW.test(plain) && !RULES.some((rule) => rule.test(plain));
  const isRule = LASTING.test(plain);
  return {
    strength: TALK.test(plain) ? STRENGTH.talk : strengthOf(plain),
    amends,
    isQuestion,
    isModal,
    isRule,
  };
}

/** Whether a statement goes beyond the matter at hand. */
export function isGeneral(text: string): boolean {
  return GENERAL.test(text.slice(0, 1_000).replaceAll(/[’‘]/g, "'"));
}

const GENERAL =
  /\b(?:every|each|all|any|always|never|ever|only|everywhere|anywhere|no(?:body| one)|none|no|nothing|everything|everyone|from now on|must|rule|by default|new|max|at most|at least|not|don't|instead)\b/iu;

function strengthOf(plain: string): number {
  if (FOR_NOW.test(plain) || PONDERING.test(plain)) return STRENGTH.hedged;
  const isRule = MODAL.test(plain) || RULES.some((rule) => rule.test(plain));
  if (HEDGE.test(plain)) return isRule && DECIDED.test(plain) ? 0.6 : STRENGTH.hedged;
  if (HOW.test(plain)) return 1;
  if (TASK.test(plain)) return strengthOfTask(plain, isRule);
  if (isRule) return 1;
  return INTENDED.test(plain) ? 0.8 : strengthOfFact(plain);
}

function strengthOfTask(plain: string, isRule: boolean): number {
  if (SETS_VALUE.test(plain)) return 0.8;
  return isRule || INTENDED.test(plain) ? 0.75 : STRENGTH.task;
}

/** A task that sets a value, which holds from then on: "move the server to 5175". */
const SETS_VALUE = /\b(?:to|at|as|into|under|with)\s+(?:\S+ ){0,2}?(?:\S*\d|[`"'{]|\S+[/_.]\S)/iu;
/** How things should be. */
const INTENDED =
  /\bshould(?:n't| not)? (?!we\b|i\b)|\bnew \p{L}+ (?:use|go|get|live|are)\b|\b(?:stays?|remains?|lives?|goes) (?:only )?(?:in|on|under|with)\b/iu;
const DECIDED = /\b(?:always|never|decided|agreed)\b/iu;

function strengthOfFact(plain: string): number {
  const isSpecific = SPECIFIC.test(plain);
  if (plain.split(/\s+/).length < MIN_FACT_WORDS) return isSpecific ? 0.5 : STRENGTH.fragment;
  return isSpecific ? 0.6 : 0.45;
}
