// Words with digits that name an algorithm or a type.
const TECHNICAL =
  /^(?:sha|md|aes|rsa|ec|ed|x|u?int|float|bytes|utf|iso|base|hs|rs|es|ps|argon|pbkdf|secp|oauth|ipv|log)\d+[a-z]{0,24}\d{0,4}$/i;

// Symbols that join no names.
const SYMBOL_OF_PASSWORDS = /.[!$^*~]./;

const SHORTEST_CODE = 5;
const LONGEST_NUMBER_IN_A_NAME = 3;
const LONGEST_ACRONYM = 8;
const LONGEST_ACRONYM_IN_A_NAME = 4;
const SHORTEST_WORD = 3;
const SHARE_OF_WORDS = 0.65;

/** Whether no person would name a thing so: a part that is neither a word nor a number, as in `hunter2hunter2`. */
export function looksGenerated(value: string): boolean {
  return (
    (/[a-z]/i.test(value) && /\d/.test(value) && SYMBOL_OF_PASSWORDS.test(value)) ||
    value.split(/[^A-Za-z0-9]+/).some((part) => !isNamePart(part))
  );
}

/** Whether digits belong to a name: `sha256`, `argon2id`. */
export function isTechnicalName(word: string): boolean {
  return TECHNICAL.test(word);
}

function isNamePart(part: string): boolean {
  const numbers = part.match(/\d+/g) ?? [];
  const [number = ""] = numbers;
  if (number === part || isTechnicalName(part)) return true;
  if (numbers.length > 1) return false;
  if (part.length < SHORTEST_CODE) return true;
  return number.length <= LONGEST_NUMBER_IN_A_NAME && isMadeOfWords(part);
}

function isMadeOfWords(part: string): boolean {
  if (/^[A-Z]+$/.test(part)) return part.length <= LONGEST_ACRONYM || isWord(part.toLowerCase());
  const pieces = part.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  const letters = pieces.join("").length;
  return pieces.filter(isWord).join("").length >= letters * SHARE_OF_WORDS;
}

function isWord(piece: string): boolean {
  if (/^[A-Z]+$/.test(piece) && piece.length > LONGEST_ACRONYM_IN_A_NAME) return false;
  return piece.length >= SHORTEST_WORD && /[aeiouy]/i.test(piece) && !/[^aeiouy]{5}/i.test(piece);
}
