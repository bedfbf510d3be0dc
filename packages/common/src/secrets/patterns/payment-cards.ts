import type { SecretPattern } from "./find-by-patterns.ts";

// Card networks with their number lengths. Maestro is left out: its prefixes and lengths match any number.
const CARD =
  /^(?:4\d{12}(?:\d{3}){0,2}|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|(?:6011|65\d{2}|64[4-9]\d|62\d{2}|81\d{2})\d{12}(?:\d{3})?)$/;

// Test numbers from the documentation of payment services.
const TEST_NUMBERS: ReadonlySet<string> = new Set([
  "4242424242424242",
  "4012888888881881",
  "4000056655665556",
  "4917610000000000",
  "4007702835532454",
  "5200828282828210",
  "5105105105105100",
  "5454545454545454",
  "2223003122003222",
  "378282246310005",
  "371449635398431",
  "378734493671000",
  "6011000990139424",
  "6011981111111113",
  "3056930009020004",
  "30569309025904",
  "36227206271667",
  "38520000023237",
  "3566002020360505",
  "3530111333300000",
]);
const LOOKS_INVENTED = /(\d)\1{5}|(?:(\d)\2{3}){2}|1234567/;
const MIN_DISTINCT_DIGITS = 5;

// Names of other numbers, such as German article numbers, which begin with 4 and have 13 digits.
const OTHER_NAME =
  /(?:id|number|no|nr|order|run|build|job|ticket|issue|invoice|trace|span|serial|imei|ean|gtin|upc|isbn|iban|account|time|timestamp|offset|seed|nonce|size|bytes|count|hash|version|phone|tel|tracking)["'`*]{0,3}\W{0,4}$/i;
const CARD_NAME =
  /(?:card|visa|amex|american express|kreditkarte|(?<![a-z])(?:carte|tarjeta|cc))(?![a-z])[^\n]{0,32}$/i;
const MAX_NAME_CHARACTERS = 48;
const ARTICLE_NUMBER_DIGITS = 13;

// What precedes a number in a list of others, such as code points or measurements.
const NUMBER_BEFORE = /(?:\d|[\dA-F]{4}) $/;
const CARD_BEFORE =
  /(?<![\d-])(?<card>\d{13,19}|\d{4}(?:[ -]\d{4}){3}|\d{4}[ -]\d{6}[ -]\d{4,5}) $/;
const MAX_CARD_CHARACTERS = 24;

/** Payment card numbers with a valid check digit, except for test numbers. */
export const PAYMENT_CARD_PATTERNS: readonly SecretPattern[] = [
  {
    kind: "payment card number",
    pattern:
      /(?<![\w.+/#@-])(?<value>\d{4}(?<gap>[ -])\d{4}\k<gap>\d{4}\k<gap>\d{4}(?:\k<gap>\d{3})?)(?![\w-]|\.\d|(?: [\dA-F]{4,5}){2})/dg,
    isSecret: (value, match) => {
      const digits = onlyDigits(value);
      // The last three may be the security code.
      return (isCard(digits) || isCard(digits.slice(0, 16))) && !isInList(match);
    },
  },
  {
    kind: "payment card number",
    pattern: /(?<![\w.+/#@-])(?<value>3\d{3}(?<gap>[ -])\d{6}\k<gap>\d{4,5})(?![\w-]|\.\d)/dg,
    isSecret: (value, match) => isCard(onlyDigits(value)) && !isInList(match),
  },
  {
    kind: "payment card number",
    pattern: /(?<![\w.+/#@-])(?<value>\d{13,19})(?![\w-]|\.\d)/dg,
    isSecret: (value, match) => {
      const { input, index } = match;
      const before = input.slice(Math.max(0, index - MAX_NAME_CHARACTERS), index);
      if (!isCard(value) || isInList(match)) return false;
      if (CARD_NAME.test(before)) return true;
      return value.length > ARTICLE_NUMBER_DIGITS && !OTHER_NAME.test(before);
    },
  },
];

/** Whether a number that is not a card precedes it. Several cards in a row are cards. */
function isInList({ input, index }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - MAX_CARD_CHARACTERS), index);
  const card = CARD_BEFORE.exec(before)?.groups?.["card"] ?? "";
  return NUMBER_BEFORE.test(before) && !isCard(onlyDigits(card));
}

function isCard(digits: string): boolean {
  return CARD.test(digits) && hasCheckDigit(digits) && !isTestNumber(digits);
}

function isTestNumber(digits: string): boolean {
  return (
    TEST_NUMBERS.has(digits) ||
    LOOKS_INVENTED.test(digits) ||
    new Set(digits).size < MIN_DISTINCT_DIGITS
  );
}

/** The Luhn algorithm: from the right, every second digit counts double. */
function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .map((digit, index) => (index % 2 === 0 ? digit : digit * 2))
    .reduce((total, digit) => total + (digit > 9 ? digit - 9 : digit), 0);
  return sum % 10 === 0;
}

function onlyDigits(value: string): string {
  return value.replaceAll(/\D/g, "");
}
