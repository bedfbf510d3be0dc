// Names of algorithms and types that contain digits.
const TECHNICAL =
  /^(?:sha|md|aes|rsa|ec|ed|x|u?int|float|bytes|utf|iso|base|hs|rs|es|ps|argon|pbkdf|secp|oauth|ipv|log)\d+[a-z]{0,24}\d{0,4}$/i;

// Symbols that do not occur inside names. Two asterisks are emphasis.
const PASSWORD_SYMBOL = /[^*][!$^*~][^*]/;

const MIN_CODE_LENGTH = 5;
const MAX_NAME_DIGITS = 3;
const MAX_ACRONYM_LENGTH = 8;
const MAX_ACRONYM_LENGTH_IN_NAME = 4;
const MIN_WORD_LENGTH = 3;
const MIN_WORD_SHARE = 0.65;

/** Whether a value does not look like a name: a part is neither a word nor a number, as in `hunter2hunter2`. */
export function looksGenerated(value: string): boolean {
  return (
    (/[a-z]/i.test(value) && /\d/.test(value) && PASSWORD_SYMBOL.test(value)) ||
    value.split(/[^A-Za-z0-9]+/).some((part) => !isNamePart(part))
  );
}

/** Whether a word is a technical name with digits: `sha256`, `argon2id`. */
export function isTechnicalName(word: string): boolean {
  return TECHNICAL.test(word);
}

function isNamePart(part: string): boolean {
  const numbers = part.match(/\d+/g) ?? [];
  const [number = ""] = numbers;
  if (number === part || isTechnicalName(part)) return true;
  if (numbers.length > 1) return false;
  if (part.length < MIN_CODE_LENGTH) return true;
  return number.length <= MAX_NAME_DIGITS && isWordLike(part);
}

function isWordLike(part: string): boolean {
  if (/^[A-Z]+$/.test(part)) return part.length <= MAX_ACRONYM_LENGTH || isWord(part.toLowerCase());
  const pieces = part.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  const letters = pieces.join("").length;
  return pieces.filter(isWord).join("").length >= letters * MIN_WORD_SHARE;
}

function isWord(piece: string): boolean {
  if (/^[A-Z]+$/.test(piece) && piece.length > MAX_ACRONYM_LENGTH_IN_NAME) return false;
  return piece.length >= MIN_WORD_LENGTH && /[aeiouy]/i.test(piece) && !/[^aeiouy]{5}/i.test(piece);
}
