import { foldText } from "./fold-text.ts";

/** A folded text as UTF-16 units, which can be read one by one much faster than a string. */
export interface TextUnits {
  /** May be longer than `length`; the rest is unused. */
  readonly units: Uint16Array;
  readonly length: number;
  /** The known character classes, by unit. */
  readonly classes: Uint8Array;
}

const UNIT_VALUES = 0x1_00_00;

/** Reads one text after the other into the same buffer. */
export function createUnitReader(): (text: string) => TextUnits {
  const classes = new Uint8Array(UNIT_VALUES);
  classes.set(ASCII_CLASSES);
  let units = new Uint16Array(0);
  const reserve = (length: number): void => {
    if (units.length >= length) return;
    units = new Uint16Array(length * 2);
  };
  return (text) => {
    reserve(text.length);
    if (copyUnits(text, units) < 0x80) return { units, length: text.length, classes };
    const folded = foldText(text);
    reserve(folded.length);
    copyUnits(folded, units);
    return { units, length: folded.length, classes };
  };
}

/** Returns the bitwise OR of all units: below 128, the text is ASCII and needs no folding. */
function copyUnits(text: string, units: Uint16Array): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    units[at] = unit;
    bits |= unit;
  }
  return bits;
}

/** The units of a single text. */
export function unitsOf(folded: string): TextUnits {
  const units = new Uint16Array(folded.length);
  copyUnits(folded, units);
  return { units, length: units.length, classes: ASCII_CLASSES };
}

/** The class of the character that starts at a position. */
export function classAt({ units, length, classes }: TextUnits, at: number): number {
  const unit = units[at] ?? 0;
  if (unitCount(unit) === 2)
    return classOf(textFromUnits(units.subarray(at, Math.min(at + 2, length))));
  const known = classes[unit] ?? CLASS.unknown;
  if (known !== CLASS.unknown) return known;
  const found = classOf(String.fromCharCode(unit));
  if (unit < classes.length) classes[unit] = found;
  return found;
}

/** The number of units of a character that starts with this one. */
export function unitCount(unit: number): 1 | 2 {
  return unit >= 0xd8_00 && unit < 0xdc_00 ? 2 : 1;
}

/** A short piece of a text as a string. */
export function textFromUnits(units: Uint16Array): string {
  // Spreading the array into arguments would use an iterator for every new word.
  return Reflect.apply(String.fromCharCode, undefined, units);
}

/** The role of a character in a text. */
export const CLASS = {
  /** Not classified yet. */
  unknown: 0,
  /** Separates words. */
  other: 1,
  /** A letter, a mark or a digit. */
  word: 2,
  /** Connects two words, as in a path or an identifier. */
  connector: 3,
  /** A letter of a script without spaces, such as Chinese, Japanese, Korean or Thai. */
  cjk: 4,
} as const;

const CJK =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const WORD = /^[\p{L}\p{M}\p{N}]/u;
const ASCII_WORD = /^[A-Za-z0-9]/;
const CONNECTORS = "_-./\\:@#+'’";

/** The class of a whole character. */
function classOf(character: string): number {
  if (CONNECTORS.includes(character)) return CLASS.connector;
  // Compiling the patterns below takes time in every start, and most texts have ASCII only.
  if (character <= "\u007F") return ASCII_WORD.test(character) ? CLASS.word : CLASS.other;
  if (CJK.test(character)) return CLASS.cjk;
  return WORD.test(character) ? CLASS.word : CLASS.other;
}

/** The classes of the ASCII characters, by unit. */
const ASCII_CLASSES: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  classOf(String.fromCharCode(unit)),
);

/** Visits each character of a CJK run, and each pair of neighbors. */
export function visitCjkRun(
  { units }: TextUnits,
  { from, to }: { readonly from: number; readonly to: number },
  onCharacters: (from: number, to: number) => void,
): void {
  let before = -1;
  for (let at = from; at < to;) {
    const end = at + unitCount(units[at] ?? 0);
    onCharacters(at, end);
    if (before !== -1) onCharacters(before, end);
    before = at;
    at = end;
  }
}
