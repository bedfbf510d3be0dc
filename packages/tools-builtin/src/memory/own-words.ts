import { searchTerms } from "@caliban/memory/search";
import { typedText, withoutPasted } from "./review/user-words.ts";

export interface OwnWordsInput {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** The user's last message. */
  readonly userText: string;
  /** What was saved before and is only kept. */
  readonly savedText?: string | undefined;
  /** Whether the model read text of others since that message. Then less of its own wording is accepted. */
  readonly isTainted: boolean;
}

/**
 * Finds a sentence of a topic that the user did not say: most of its significant words, or a path, an address or code in
 * it, are not in the user's message. `undefined` if every sentence is the user's, in whatever order and form.
 */
export function findForeignText(input: OwnWordsInput): string | undefined {
  const { name, description, body, userText, savedText = "", isTainted } = input;
  const known: KnownWords = {
    terms: new Set(searchTerms(`${ownPart(userText)}\n${savedText}`)),
    text: fold(`${ownPart(userText)}\n${savedText}`),
    isTainted,
  };
  const sentences = [description, ...body.split("\n")].flatMap(splitSentences);
  const foreign = sentences.find((sentence) => isForeign(sentence, known));
  if (foreign !== undefined) return foreign;
  const said = sentences.flatMap(significantTerms);
  if (!said.some((term) => known.terms.has(term))) return description;
  // The name is in the prompt, too. Models name the subject, for which users have no word.
  const named = significantTerms(name.replaceAll(/[^\p{L}\p{N}]+/gu, " "));
  const invented = named.filter((term) => !known.terms.has(term));
  if (invented.length > (isTainted ? 1 : 2)) return name;
  // The opposite of what the user said has nearly the same words.
  const isReversed =
    isTainted && NEGATION.test(ownPart(userText)) && !NEGATION.test(sentences.join(" "));
  return isReversed ? description : undefined;
}

/** Whether a text and a message are about the same thing: they share a significant word. */
export function isAboutSame(text: string, userText: string): boolean {
  const known = new Set(searchTerms(ownPart(userText)));
  return significantTerms(text).some((term) => known.has(term));
}

interface KnownWords {
  readonly terms: ReadonlySet<string>;
  /** In lower case. */
  readonly text: string;
  readonly isTainted: boolean;
}

/** The share of significant words that may be the model's. */
const MAX_FOREIGN_SHARE = 0.4;
const MAX_FOREIGN_SHARE_TAINTED = 0.25;

function isForeign(sentence: string, { terms: known, text, isTainted }: KnownWords): boolean {
  if (literals(sentence).some((literal) => !text.includes(literal))) return true;
  const terms = significantTerms(sentence);
  const foreign = terms.filter((term) => !known.has(term)).length;
  if (foreign === 0) return false;
  // One word that names the subject: "tabs for indentation".
  if (foreign === 1 && terms.length > 1 && !isTainted) return false;
  return foreign / terms.length > (isTainted ? MAX_FOREIGN_SHARE_TAINTED : MAX_FOREIGN_SHARE);
}

/** Stems with which models report what a user said. */
const FRAME: ReadonlySet<string> = new Set(
  "user prefer want like love us use project repo repositori everywher global appli remember memori note fact state stated".split(
    " ",
  ),
);
const DATE = /^[\d.:/-]+$/;

function significantTerms(text: string): readonly string[] {
  return searchTerms(text).filter((term) => !FRAME.has(term) && !DATE.test(term));
}

/** Words that a paraphrase cannot contain: paths, addresses, flags and code. */
function literals(sentence: string): readonly string[] {
  return fold(sentence)
    .split(/[\s`"'“”()[\],;]+/u)
    .map((word) => word.replace(/[.!?:]+$/u, ""))
    .filter((word) => LITERAL.test(word) && !DATE.test(word));
}

const LITERAL = /[/\\@$|<>={}&*]|^--?[a-z]|[\p{L}\p{N}][.:][\p{L}\p{N}]/u;
const NEGATION =
  /\b(?:not|never|no|none|without|avoid|stop|don['’]?t|doesn['’]?t|nicht|nie|kein\w*)\b/i;

function splitSentences(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?;。！？])\s*(?=\S)/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

const MAX_MESSAGE_CHARACTERS = 2_000;

/** What the user typed. A long message is mostly something that the user pasted. Users write before and after it. */
function ownPart(userText: string): string {
  const typed = withoutPasted(userText).text;
  if (typed.length <= MAX_MESSAGE_CHARACTERS) return typedText(userText);
  const paragraphs = typed.trim().split(/\n\s*\n/);
  const ends = [paragraphs[0] ?? "", paragraphs.length > 1 ? (paragraphs.at(-1) ?? "") : ""];
  return ends.map((text) => typedText(text.slice(0, MAX_MESSAGE_CHARACTERS))).join("\n");
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
