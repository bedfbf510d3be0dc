import { foldText } from "./fold-text.ts";

/** A folded text as UTF-16 units, of which a program reads one after the other much faster than from a string. */
export interface TextUnits {
  /** There may be more than `length` of them; the others mean nothing. */
  readonly units: Uint16Array;
  readonly length: number;
  /** The classes of units that are known already, by their numbers. */
  readonly classes: Uint8Array;
}

const EVERY_UNIT = 0x1_00_00;

/** Gives the units of one text after the other, each in the place of the one before. */
export function createUnitReader(): (text: string) => TextUnits {
  const classes = new Uint8Array(EVERY_UNIT);
  classes.set(ASCII_CLASSES);
  let units = new Uint16Array(0);
  const makeRoom = (length: number): void => {
    if (units.length >= length) return;
    units = new Uint16Array(length * 2);
  };
  return (text) => {
    makeRoom(text.length);
    if (copyUnits(text, units) < 0x80) return { units, length: text.length, classes };
    const folded = foldText(text);
    makeRoom(folded.length);
    copyUnits(folded, units);
    return { units, length: folded.length, classes };
  };
}

/** Gives a number that has every bit of every unit: below 128, all is ASCII, and there is nothing to fold. */
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

/** The class of the character that begins at a place. */
export function classAt({ units, length, classes }: TextUnits, at: number): number {
  const unit = units[at] ?? 0;
  if (unitsFrom(unit) === 2)
    return classOf(textFromUnits(units.subarray(at, Math.min(at + 2, length))));
  const known = classes[unit] ?? CLASS.unknown;
  if (known !== CLASS.unknown) return known;
  const found = classOf(String.fromCharCode(unit));
  if (unit < classes.length) classes[unit] = found;
  return found;
}

/** How many units a character has that begins with this one. */
export function unitsFrom(unit: number): 1 | 2 {
  return unit >= 0xd8_00 && unit < 0xdc_00 ? 2 : 1;
}

/** A short piece of a text as a string. */
export function textFromUnits(units: Uint16Array): string {
  // A list of arguments would be gone through by an iterator, for every new word.
  return Reflect.apply(String.fromCharCode, undefined, units);
}

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

/** Goes through the characters of a run: calls with each of them, and with each two that stand side by side. */
export function visitCjkRun(
  { units }: TextUnits,
  { from, to }: { readonly from: number; readonly to: number },
  onCharacters: (from: number, to: number) => void,
): void {
  let before = -1;
  for (let at = from; at < to;) {
    const end = at + unitsFrom(units[at] ?? 0);
    onCharacters(at, end);
    if (before !== -1) onCharacters(before, end);
    before = at;
    at = end;
  }
}
