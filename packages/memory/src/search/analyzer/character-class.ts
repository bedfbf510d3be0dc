/** What a character does in a text. */
export const CLASS = {
  /** Not looked at yet. */
  unknown: 0,
  /** Parts words. */
  other: 1,
  /** A letter, a mark or a digit. */
  word: 2,
  /** Holds two words together, as in a path or an identifier. */
  connector: 3,
  /** A letter of a script that is written without spaces. */
  unspaced: 4,
} as const;

const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const WORD = /^[\p{L}\p{M}\p{N}]/u;
const CONNECTORS = "_-./\\:@#+'’";

/** The class of a whole character. */
export function classOf(character: string): number {
  if (CONNECTORS.includes(character)) return CLASS.connector;
  if (UNSPACED.test(character)) return CLASS.unspaced;
  return WORD.test(character) ? CLASS.word : CLASS.other;
}

/** The classes of the characters of ASCII, by their numbers. */
export const ASCII_CLASSES: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  classOf(String.fromCharCode(unit)),
);
