import { codeTokens } from "./code-tokens.ts";
import { ACTION_VERBS } from "./instruction-words.ts";
import { type Clause, clausesOf, contradicts } from "./polarity.ts";
import { splitStatements } from "./statements.ts";
import { contentTerms, termsOf } from "./terms.ts";

/** What the user said, as far as a memory may rest on it. */
export interface UserWords {
  /** Significant words of what the user stated, or asked to remember. */
  readonly terms: ReadonlySet<string>;
  /** The same texts, in lower case, to find code in. */
  readonly text: string;
  /** The same texts, to find out whether another text says the opposite. */
  readonly clauses: readonly Clause[];
  /** Significant words of tasks. */
  readonly taskTerms: ReadonlySet<string>;
  /** Whether the last message asks to remember something. */
  readonly asksToRemember: boolean;
  /** Whether the last message asks to forget or delete something. */
  readonly asksToForget: boolean;
  /** Significant words of the last message, whatever it is. */
  readonly lastTerms: ReadonlySet<string>;
  /** Whether a message contains text of someone else. */
  readonly quotesOthers: boolean;
}

export function parseUserTexts(messages: readonly string[]): UserWords {
  const parsed = messages.map(parseMessage);
  const last = parsed.at(-1);
  const trusted = parsed.flatMap(({ own, asks }, at) => {
    // "Remember that!" is about what the user said just before.
    const isAskedNext = isBareAsk(parsed[at + 1]);
    if (asks || isAskedNext) return own;
    return own.filter((sentence, index) => isStatement(sentence) || isRule(own[index + 1]));
  });
  const text = trusted.join("\n");
  return {
    terms: termsOf(text),
    text: text.toLowerCase(),
    clauses: clausesOf(text),
    taskTerms: termsOf(
      parsed
        .flatMap(({ own }) => own)
        .filter((sentence) => !isQuestion(sentence))
        .join("\n"),
    ),
    asksToRemember: last?.asks ?? false,
    asksToForget: last?.own.some((sentence) => FORGET.test(sentence)) ?? false,
    lastTerms: termsOf(last?.own.join("\n") ?? ""),
    quotesOthers: parsed.some(({ quotesOthers }) => quotesOthers),
  };
}

/** A message without what the user pasted: quotes, blocks, and what comes after a line such as "The README says:". */
export function typedText(message: string): string {
  return parseMessage(message).own.join("\n");
}

/** Whether every part of a text comes from the user. */
export function comesFromUser(text: string, user: UserWords, others: ReadonlySet<string>): boolean {
  const content = contentTerms(text);
  const terms = content.size === 0 ? termsOf(text) : content;
  if (terms.size === 0 || !hasOnlyCodeOf(text, user) || contradicts(text, user.clauses))
    return false;
  const novel = [...terms].filter((term) => !user.terms.has(term));
  return novel.length <= terms.size * MAX_NOVEL_SHARE && !novel.some((term) => others.has(term));
}

/** Whether a text is what the user said about a task: "Add a cache to the router." – "At most 500 entries." */
export function completesTask(text: string, user: UserWords, others: ReadonlySet<string>): boolean {
  const terms = [...contentTerms(text)];
  const novel = terms.filter((term) => !user.terms.has(term));
  if (novel.length > terms.length / 2 || !novel.some((term) => user.taskTerms.has(term)))
    return false;
  const isOthers = (term: string): boolean => others.has(term) && !user.taskTerms.has(term);
  return !novel.some(isOthers) && hasOnlyCodeOf(text, user) && !contradicts(text, user.clauses);
}

/** An agent may use some other words than the user, if they are not those of an untrusted text. */
const MAX_NOVEL_SHARE = 0.4;

/** Whether the code, numbers and addresses in a text are the user's. */
export function hasOnlyCodeOf(text: string, user: UserWords): boolean {
  const numbers = text.match(/\d[\d.,:]*/g) ?? [];
  return [...codeTokens(text), ...numbers].every((token) =>
    user.text.includes(token.toLowerCase().replace(/[.,:]+$/, "")),
  );
}

interface ParsedMessage {
  /** The user's own sentences. */
  readonly own: readonly string[];
  readonly asks: boolean;
  readonly quotesOthers: boolean;
}

/** A block of code that the user asks to remember is the user's own, if it is short. */
const MAX_OWN_CODE_LINES = 8;
const MAX_OWN_QUOTE = 120;

function parseMessage(message: string): ParsedMessage {
  const { text, isCut } = withoutPasted(message);
  const quote = new RegExp(`["“«][^"”»]{${MAX_OWN_QUOTE},}["”»]`, "gs");
  const unquoted = text.replaceAll(quote, " ");
  const statements = splitStatements(unquoted);
  const sentences = statements.filter(({ kind }) => kind !== "code").map((each) => each.text);
  const asks = sentences.some((sentence) => asksToRemember(sentence));
  const code = statements.filter(({ kind }) => kind === "code").map((each) => each.text);
  const isOwnCode =
    asks && !isCut && code.every((block) => block.split("\n").length <= MAX_OWN_CODE_LINES);
  return {
    own: isOwnCode ? [...sentences, ...code] : sentences,
    asks,
    quotesOthers: isCut || unquoted !== text || (code.length > 0 && !isOwnCode),
  };
}

const QUOTED_LINE = /^\s*>/;
/** A line after which the text of someone else follows. */
const ATTRIBUTION =
  /(?:\b(?:readme|docs?|documentation|page|article|post|blog|e-?mail|mail|message|ticket|issue|slack|thread|comment|log|logs|output|error|says|said|wrote|writes|reads|website|site|answer|response|file|paste[ds]?|forwarded|transcript)\b[^:\n]{0,60}|\bfrom\b(?! now on| here on)[^:\n]{0,60}):\s*$/i;
const TAG_BLOCK = /<([a-z][\w-]*)\b[^>]*>.*?<\/\1>/gis;

/** Removes tags, quoted lines, and what a line attributes to others. Keeps paragraphs. */
export function withoutPasted(message: string): { readonly text: string; readonly isCut: boolean } {
  const untagged = message.replaceAll(TAG_BLOCK, " ");
  const lines = untagged.split("\n");
  const unquoted = lines.filter((line) => !QUOTED_LINE.test(line));
  const at = unquoted.findIndex((line) => ATTRIBUTION.test(line));
  const isAttributed = at !== -1 && unquoted.slice(at + 1).some((line) => line.trim() !== "");
  const own = isAttributed ? unquoted.slice(0, at + 1) : unquoted;
  const isCut = untagged !== message || unquoted.length < lines.length || isAttributed;
  return { text: own.join("\n"), isCut };
}

const REMEMBER =
  /\b(?:remember|memori[sz]e|keep in mind|bear in mind|(?:don['’]?t|do not|never) forget|make a (?:mental )?note|take (?:a )?note|note (?:that|this|down|it)|jot|write (?:this|that|it) down|save (?:this|that|it|the|to|in|a|as|my|our|what)|store (?:this|that|it)|record (?:this|that|it)|add (?:this|that|it)? ?.{0,40}to (?:your |the )?(?:memory|notes)|for (?:the )?(?:future|next time)|for later)\b|\bmerk(?:e)? (?:dir|es)|\bnotier|\bspeicher|\bvergiss nicht|\bbehalte\b|\bsouviens|\bretiens|\bnote (?:que|bien)|\bmémorise|n['’]oublie pas|\brecuerda|\banota|\bguarda\b|no olvides|\bricorda|\blembr[ae]|\bonthoud|\bzapamiętaj|запомни|запиши|记住|記住|记下|覚えて|기억/iu;
const NOT_REMEMBER =
  /\b(?:do|did|can|could) you (?:still )?remember\b|\bremember (?:when|how|what|where|who|why)\b[^.!]*\?|\b(?:don['’]?t|do not|no need to|never) (?:remember|save|store|memori[sz]e|note|record)\b/i;

function asksToRemember(sentence: string): boolean {
  return REMEMBER.test(sentence) && !NOT_REMEMBER.test(sentence);
}

const FORGET =
  /\b(?:forget|delete|remove|erase|drop|discard|get rid of|clean up|clear|purge|prune|wipe)\b|\bvergiss\b(?! nicht)|\blösch|\bentfern|\boublie\b|\bsupprim|\belimina|\bborra\b|\bolvida\b|забудь|удали|忘记|删除|忘れて|削除/iu;

function isBareAsk(message: ParsedMessage | undefined): boolean {
  if (message === undefined || !message.asks) return false;
  return contentTerms(message.own.join(" ")).size < 2;
}

const LASTING =
  /\b(?:always|never|from now on|in future|in the future|every time|whenever|prefer|rather|instead|don['’]?t|do not|stop|no longer|avoid|hate|like|immer|nie|niemals|künftig|in zukunft|ab jetzt|ab sofort|von nun an|nicht mehr|lieber|statt|bevorzuge|keine?n?)\b|^(?:please )?(?:keep|stick (?:to|with))\b|^no\b|^nein\b|\bnot\s+\S+$/i;
const POLITE =
  /^(?:(?:please|ok|okay|now|then|and|also|hey|hi|thanks|great|yes|first|next)[,!.]?\s+)*/i;
const REQUEST =
  /^(?:(?:can|could|would|will) you\b|let['’]?s\b|i (?:want|need|would like) you to\b|i['’]d like you to\b|help me\b)/i;
/** The verb of a German task, as in "Schalte die Tests ab". */
const GERMAN_TASK =
  /^(?:lies|lese|schreibe?|führe?|starte|prüfe?|überprüfe?|schaue?|öffne|erkläre?|zeige?|füge?|ändere?|lösche?|entferne?|baue?|teste|repariere?|behebe?|mache?|schalte?|deaktiviere?|aktiviere?|installiere?|pushe?|committe?|merge|deploye?|suche?|finde|benenne|verschiebe?|kopiere?|aktualisiere?|setze?|stelle?|nimm|gib|hole?|lade|fasse?|liste|nenne|sieh|korrigiere?|fixe?|implementiere?|ergänze?|ersetze?|refaktoriere?|kannst|könntest|würdest)$/u;
/** A statement that begins like a task: `test files are in src`. */
const DECLARATIVE =
  /^(?:[\w./-]+\s+){1,5}(?<!(?:that|which|what) )(?:is|are|was|were|has|have|needs?|lives?|uses)\b/i;

/** An idea or a doubt, which decides nothing. */
const IDEA =
  /^(?:\W*(?:and|but|so|also|hm+|well|ok(?:ay)?|und|aber)[,.]?\s+)*(?:i (?:wonder|am wondering|was wondering|am not sure|don['’]t know|do not know|guess)\b|i['’]m (?:wondering|not sure|thinking (?:about|of))\b|(?:maybe|perhaps|possibly|what if|how about|suppose)\b|(?:should|shall|can|could|may|might|would|do|does|is|are) (?:we|i|it|they|there|the|this|that)\b|(?:we|you|one) (?:could|might)\b|not sure (?:if|whether)\b|vielleicht\b|ich frage mich\b|ich (?:weiß|weiss) nicht\b|(?:sollen|sollten|können|könnten) wir\b|wie wäre\b|was wäre\b|wir könnten\b|peut-être\b|quizás\b)/iu;

/** A sentence that makes a rule of the one before: "Use British spelling. Always." */
function isRule(sentence = ""): boolean {
  return /^\W*(?:(?:and|und) )?(?:always|every time|from now on|immer|ab jetzt|jedes mal)\W*$/iu.test(
    sentence,
  );
}

function isQuestion(sentence: string): boolean {
  return sentence.trim().endsWith("?") || IDEA.test(sentence);
}

/** Whether a sentence states something, rather than giving a task or asking a question. */
function isStatement(sentence: string): boolean {
  if (isQuestion(sentence)) return false;
  if (LASTING.test(sentence)) return true;
  const plain = sentence.replace(POLITE, "");
  if (REQUEST.test(plain)) return false;
  const [first = ""] = plain.toLowerCase().split(/[^\p{L}']+/u);
  if (GERMAN_TASK.test(first)) return false;
  return !ACTION_VERBS.has(first) || DECLARATIVE.test(plain);
}
