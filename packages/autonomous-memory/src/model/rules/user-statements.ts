import { cleanLine } from "../../text/clean-text.ts";
import type { TranscriptTurn } from "../../transcript/transcript-turn.ts";
import { lineKey } from "./memory-line.ts";

/** What a user's sentence means for later sessions. */
export type StatementKind = "preference" | "correction";

/** A lasting statement of the user. */
export interface Statement {
  readonly kind: StatementKind;
  readonly text: string;
}

/** Each statement once, at its last occurrence. */
export function userStatements(turns: readonly TranscriptTurn[]): readonly Statement[] {
  const found = new Map<string, Statement>();
  let isReply = false;
  for (const { kind, text } of turns) {
    if (kind !== "user") {
      isReply = true;
      continue;
    }
    for (const statement of statementsOf(text, isReply)) {
      const key = lineKey(statement.text);
      found.delete(key);
      found.set(key, statement);
    }
  }
  return [...found.values()];
}

function statementsOf(text: string, isReply: boolean): readonly Statement[] {
  return withBareNo(userSentences(text)).flatMap((sentence) => {
    const kind = classifyStatement(sentence, { isReply });
    return kind === undefined || sentence.includes("[secret removed")
      ? []
      : [{ kind, text: sentence }];
  });
}

/** "No." and "That's wrong." only make sense together with the next sentence. */
function withBareNo(sentences: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const before = joined.at(-1);
    if (before !== undefined && BARE_NO.test(before)) joined.splice(-1, 1, `${before} ${sentence}`);
    else joined.push(sentence);
  }
  return joined;
}

const BARE_NO =
  /^(?:no|nope|nein|non|wrong|falsch|that['’]s (?:wrong|incorrect|not right)|das ist falsch|c['’]est faux)[.!]$/iu;

const FENCE = /^\s{0,3}(?:```|~~~)/;
const LIST_MARK = /^\s{0,8}(?:[-*+•]|\d{1,3}[.)])\s+/;
/** A quotation, a heading, indented code, a shell prompt or a table. */
const NOT_PROSE = /^(?:\s{0,3}>|\s{0,3}#{1,6}\s|\t| {4}|\s{0,3}[$%❯]\s|\s{0,3}\|)/;
const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|at \S+ \(|at \S+:\d+:\d+|Traceback \(|File "|\[?(?:ERROR|ERR!|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|FAIL|PASS)\b[\]:\s]|npm (?:ERR|WARN|error|warn)|[+-]{3} |@@ |\w*(?:Error|Exception): )/;
const QUOTATION = /^\s*(?:"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|'[^']*')[.,;!]?\s*$/;
const SENTENCE_END = /(?<=[.!?…])(?<!\b(?:e\.g|i\.e|etc|vs|cf|z\.B|bzw|p\.ex)\.)\s+/u;
/** A line of this length may have been wrapped, so that it continues on the next. */
const LONG_LINE = 60;
/** A longer text is mostly pasted: the user's own words come before or after it. */
const MAX_LINES = 60;
const KEPT_LINES_PER_END = 20;

/** The sentences that the user wrote: without code, quotations, pasted logs, headings and tables. */
export function userSentences(text: string): readonly string[] {
  return paragraphs(proseLines(text)).flatMap((paragraph) =>
    paragraph
      .split(SENTENCE_END)
      .map(cleanLine)
      .filter((sentence) => sentence !== ""),
  );
}

/** Lines of prose; everything else is replaced by empty lines. */
function proseLines(text: string): readonly string[] {
  let isFenced = false;
  const lines = text.split("\n").map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isFenced = !isFenced;
    return isFence || isFenced || !isProse(line) ? "" : line;
  });
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, KEPT_LINES_PER_END), "", ...lines.slice(-KEPT_LINES_PER_END)];
}

function isProse(line: string): boolean {
  const isStructure = NOT_PROSE.test(line) && !LIST_MARK.test(line);
  return !isStructure && !LOG_LINE.test(line) && !QUOTATION.test(line) && isWordy(line);
}

/** Whether a line is mostly letters: logs, paths and code are not. */
function isWordy(line: string): boolean {
  // Backticks mark code within a sentence.
  const plain = line.slice(0, 1_000).replaceAll(/`[^`]*`/g, "");
  const letters = plain.match(/[\p{L}\s]/gu)?.length ?? 0;
  return letters >= plain.length * 0.7;
}

function paragraphs(lines: readonly string[]): readonly string[] {
  const found: string[] = [];
  let continues = false;
  for (const line of lines) {
    const text = line.replace(LIST_MARK, "").trim();
    const isNew = !continues || LIST_MARK.test(line);
    if (text !== "" && isNew) found.push(text);
    else if (text !== "") found.push(`${found.pop() ?? ""} ${text}`);
    continues = line.length >= LONG_LINE && !/[.!?:;…]$/u.test(text);
  }
  return found;
}

const LEAD_IN =
  /^(?:(?:ok(?:ay)?|and|also|but|so|btw|by the way|hey|hi|thanks|thank you|well|yes|yeah|important|note|please|oh|und|aber|ja|bitte|et|mais|oui|y|pero|s[íi])\b[,.:!–-]*\s+){1,3}/iu;
const QUESTION =
  /\?\s*["')\]]*$|^(?:can|could|would|will|shall|why|how|what|who|which|do|does|did|is|are|warum|wie|was|wer|kannst|pourquoi|comment|qu[ei]|por qué|cómo)\s+(?:you|we|i|it|the|this|that|to|du|wir|ich|es|das|tu|vous|on|je)\b/iu;
/** Limits a statement to the present occasion. */
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
/** A "no" that does not reply to anything. */
const NO = /^(?:no|nope|nein|non)[,.!:;–-]+\s+/iu;
const MAX_STATEMENT_CHARS = 300;

/** Classifies a sentence, if it is a lasting statement. Only a reply can be a correction. */
export function classifyStatement(
  sentence: string,
  { isReply }: { readonly isReply: boolean },
): StatementKind | undefined {
  const plain = sentence.replaceAll(/[’‘]/g, "'");
  const bare = plain.replace(LEAD_IN, "");
  if (plain.length > MAX_STATEMENT_CHARS || bare.split(/\s+/).length < 2) return undefined;
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
