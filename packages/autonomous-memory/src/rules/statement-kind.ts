/** What a sentence of a person is to a later session. */
export type StatementKind = "preference" | "correction";

const LEAD_IN =
  /^(?:(?:ok(?:ay)?|and|also|but|so|btw|by the way|hey|hi|thanks|thank you|well|yes|yeah|important|note|please|oh|und|aber|ja|bitte|et|mais|oui|y|pero|s[íi])\b[,.:!–-]*\s+){1,3}/iu;
const QUESTION =
  /\?\s*["')\]]*$|^(?:can|could|would|will|shall|why|how|what|who|which|do|does|did|is|are|warum|wie|was|wer|kannst|pourquoi|comment|qu[ei]|por qué|cómo)\s+(?:you|we|i|it|the|this|that|to|du|wir|ich|es|das|tu|vous|on|je)\b/iu;
/** Words of the moment: they hold for this occasion only. */
const FOR_NOW =
  /\b(?:yet|for now|right now|for the moment|this time|today|just this once|erstmal|diesmal|heute|pour l'instant|por ahora)\b/iu;

/** At the start of a sentence. */
const RULE_STARTS: readonly RegExp[] = [
  // English
  /^(?:remember\b(?! when)|(?:keep|bear) in mind\b|don't forget\b|do not forget\b)/iu,
  /^(?:(?:you|we) )?(?:should |must |have to |need to )?(?:always|never) (?!mind\b|again\b)\p{L}/iu,
  /^i (?:always|never) (?:use|want|prefer|run|write|like)\b/iu,
  /^i want you to (?:always|never)\b/iu,
  /^(?:here,? |in this (?:repo|repository|project|codebase|team|package),? |at work,? )?we (?:only |also |always |never |just |mostly )?(?:use|run|deploy|prefer|keep|write|avoid|follow|require|target|support|must|can't|cannot|don't|do not)\b(?! (?:know|see|think|care|need|want)\b)/iu,
  /^we(?:'re| are) (?:using|on)\b/iu,
  /^(?:do not|don't|avoid) (?!worry\b|bother\b|you\b|know\b|think\b|mind\b|be\b|get\b|want\b|see\b)\p{L}/iu,
  /^(?:i(?:'d| would)? (?:strongly |really |much |generally )?prefer\b|prefer \p{L}|my preference is\b)/iu,
  /^(?:from now on|going forward|in (?:the )?future|for future reference|as a rule|by convention|our convention)\b/iu,
  /^(?:make sure|be sure to)\b/iu,
  // German
  /^(?:merke? dir|denke? daran|vergiss nicht|immer|nie|niemals|wir (?:benutzen|verwenden|nutzen|arbeiten mit|setzen auf)|nicht|keine?n? |ab (?:jetzt|sofort)|von nun an|in zukunft|künftig|ich bevorzuge|stelle? sicher|achte darauf)(?![\p{L}])/iu,
  /^\p{L}+e? (?:bitte )?(?:immer|nie|niemals) \p{L}/iu,
  // French
  /^(?:souviens-toi|rappelle-toi|n'oublie pas|désormais|dorénavant|à partir de maintenant|je préfère|assure-toi|(?:on|nous) (?:utilise|utilisons|n'utilise))(?![\p{L}])/iu,
  /^(?:(?:n'|ne )\p{L}+ (?:jamais|pas)|\p{L}+ toujours)(?![\p{L}])/iu,
  // Spanish
  /^(?:recuerda|no olvides|siempre|nunca|(?:no )?usamos|por favor,? no|prefiero|a partir de ahora|de ahora en adelante|asegúrate|\p{L}+ siempre)(?![\p{L}])/iu,
];
/** Anywhere in a sentence. */
const RULE_WORDS: readonly RegExp[] = [
  /,\s*(?:please )?(?:always|never) (?!mind\b)\p{L}/iu,
  /\b(?:from now on|going forward|ab jetzt|ab sofort|von nun an|à partir de maintenant|a partir de ahora|de ahora en adelante)(?![\p{L}])/iu,
];
const CORRECTIONS: readonly RegExp[] = [
  /^(?:no|nope|nein|non)[,.!:;–-]+\s*(?!thanks|thank you|problem|worries|need|idea|go ahead|that's (?:fine|ok)|danke|merci|gracias)\p{L}[^\s]*\s+\S/iu,
  /^that(?:'s| is| was)(?: just| still| completely| totally| all)? (?:wrong|incorrect|not (?:right|correct|true|what|how))\b/iu,
  /^(?:wrong|incorrect|falsch)[,:;!.–-]+\s*\p{L}/iu,
  /^actually,?\s+(?!can\b|could\b|would\b|let's\b|never ?mind\b|wait\b|please\b|yes\b|nice\b|good\b|great\b)\p{L}/iu,
  /^i (?:said|meant|asked (?:you )?(?:to|for|not))\b/iu,
  /^(?:please )?use .{1,120} instead\b/iu,
  /^not .{1,80}, (?:but|use|it's|rather)\b/iu,
  /^(?:das (?:ist|war) (?:falsch|nicht richtig)|eigentlich|c'est (?:faux|incorrect)|en fait|eso (?:está|es) (?:mal|incorrecto)|en realidad)(?![\p{L}])/iu,
];
/** What a no begins with that nobody gave cause for. */
const NO = /^(?:no|nope|nein|non)[,.!:;–-]+\s+/iu;
const LONGEST = 300;

/** What a sentence is, if it is anything that lasts. Only who was answered before can correct. */
export function statementKind(
  sentence: string,
  { isReply }: { readonly isReply: boolean },
): StatementKind | undefined {
  const plain = sentence.replaceAll(/[’‘]/g, "'");
  const bare = plain.replace(LEAD_IN, "");
  if (plain.length > LONGEST || bare.split(/\s+/).length < 2) return undefined;
  if (QUESTION.test(plain) || QUESTION.test(bare) || FOR_NOW.test(bare)) return undefined;
  const isCorrection = [plain, bare].some((text) =>
    CORRECTIONS.some((pattern) => pattern.test(text)),
  );
  if (isReply && isCorrection) return "correction";
  const rest = isReply ? bare : bare.replace(NO, "").replace(LEAD_IN, "");
  const isRule =
    RULE_STARTS.some((pattern) => [bare, plain, rest].some((text) => pattern.test(text))) ||
    RULE_WORDS.some((pattern) => pattern.test(bare));
  return isRule ? "preference" : undefined;
}
