import type { SecretPattern } from "./find-by-patterns.ts";
import { looksGenerated } from "../values/looks-generated.ts";
import { isPlaceholder, isPlaceholderPassword } from "../values/placeholder.ts";

const GROUPED = String.raw`[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,3}(?![\w-])`;
const EIGHT_DIGITS = String.raw`\d{4} ?\d{4}(?![\w-])`;
const NEXT_LINE = String.raw`[ \t]{0,4}\r?\n[ \t]{0,16}(?:(?:[-*+]|\d{1,2}[.)])[ \t]{1,4})?["'\x60]?`;
const SEPARATOR = String.raw`["'\x60]?(?:[,;|]?${NEXT_LINE}|[ \t,;|/]{1,8}["'\x60]?)`;
const CODES_NAME = String.raw`(?:recovery|backup|scratch|emergency|wiederherstellungs|r[ée]cup[ée]ration)[ _-]?codes?(?![\w-])`;
const DATE = /(?:19|20)\d{2} ?[01]\d[0-3]\d/;
const MIN_CODES = 2;
const LOCKED =
  /(?<![a-z])(?:sim|card|door|alarm|phone|bank|atm|debit|credit|voicemail|safe|gate|keypad|tablet|admin|security|locker|unlock|my|our|your|the)(?![a-z])/i;
const MAX_PIN_CONTEXT = 40;
// Words of sentences about a passphrase, and of names.
const COMMON_WORDS: ReadonlySet<string> = new Set(
  [
    "about access account admin administrator after again all also always and any app are ask auth backup base been",
    "before being but can cannot change changed changeme characters check choose code com confirm config contact",
    "contain contains could create data database decrypt default deploy dev does each empty encrypt encrypted enter",
    "entered env error every example failed field file files for forgot forgotten from generate generated get has",
    "have her here hidden his how invalid its keep key keys leave least length local login long main make manager",
    "match may missing more must name need needed needs never new none not null old once only optional our pass",
    "passphrase password passwords phrase please private prod production prompt protect protected protects random",
    "read redacted repeat required reset sample save saved secret secure see server service set should show simple",
    "some someone ssh staging store stored string strong support system team test text than that the their them",
    "then there they this token too try type unlock use used user using value values vault very was weak were what",
    "when where which who will with without word words would wrong you your",
  ].flatMap((line) => line.split(" ")),
);

/** Codes and seeds that are recognized by the word before them. */
export const CODE_PATTERNS: readonly SecretPattern[] = [
  {
    kind: "recovery codes",
    pattern: new RegExp(
      String.raw`${CODES_NAME}[^\n]{0,60}?(?:\r?\n[^\n]{0,8}){0,3}?(?<value>(?<![\w-])(?=[A-Za-z-]{0,16}\d)${GROUPED}(?:${SEPARATOR}${GROUPED})+)`,
      "dgi",
    ),
    isSecret: areRecoveryCodes,
  },
  {
    kind: "recovery codes",
    // Only the colon distinguishes these from other numbers.
    pattern: new RegExp(
      String.raw`${CODES_NAME}["'\x60*]{0,3}[ \t]{0,4}:[\s"'\x60*[-]{0,12}(?<value>${EIGHT_DIGITS}(?:${SEPARATOR}${EIGHT_DIGITS})+)`,
      "dgi",
    ),
    isSecret: (value) => !DATE.test(value),
  },
  {
    kind: "TOTP seed",
    // In groups of four, as displayed for typing; unlike words, the first four groups contain a digit.
    pattern:
      /(?<![A-Za-z0-9])(?:[Tt][Oo][Tt][Pp]|[Hh]?[Oo][Tt][Pp]|2[Ff][Aa]|[Mm][Ff][Aa]|[Aa]uthenticator|AUTHENTICATOR)(?![a-z])[^\n]{0,60}?(?<![\w-])(?<value>(?=[A-Za-z -]{0,18}[2-7])(?:[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,}|[a-z2-7]{4}(?:[ -][a-z2-7]{4}){3,}|[A-Z2-7]{16,}={0,6}))(?![\w-])/dg,
    isSecret: (value) => !isPlaceholder(value) && /[A-Za-z][2-7]|[2-7][A-Za-z]/.test(value),
  },
  {
    kind: "PIN",
    pattern:
      /(?<![\w-])(?:PIN|Pin|pin[ _-]?code)(?:[ -]?(?:[Cc]ode|[Nn]umber))?["'`*)]{0,3}(?<of> (?:of|for|to) [\w '-]{1,32}?)?(?:[ \t]{0,4}[:=]|[ \t](?:is|was|ist|lautet)(?: now)?|(?<=PIN)(?=[ \t]))[ \t*]{0,4}["'`]?(?<value>\d{4,8})(?!\w|[.:/-]\d)/dg,
    isSecret: isPin,
  },
  {
    kind: "passphrase",
    pattern:
      /(?<![A-Za-z])(?:[Pp]ass-?phrase|PASSPHRASE)["'`*)]{0,4}(?:[ \t]{0,4}[:=]|[ \t](?:is|was|ist|lautet)|(?=[ \t]{1,4}["'`]))[ \t*]{0,4}["'`]?(?<value>[a-z]{3,12}(?:[ _.-][a-z]{3,12}){3,9})(?=["'`]|[ \t.,;*]{0,4}\r?$)/dgm,
    isSecret: isPassphrase,
  },
  {
    kind: "passphrase",
    pattern:
      /(?<![A-Za-z])(?:pass(?:word|wort)|PASS(?:WORD|WORT)|Pass(?:word|wort))["'`*)]{0,4}(?:[ \t]{0,4}[:=]|[ \t](?:is|was|ist|lautet))[ \t*]{0,4}["'`]?(?<value>[a-z]{3,12}(?:-[a-z]{3,12}){3,9})(?=["'`]|[ \t.,;*]{0,4}\r?$)/dgm,
    isSecret: isPassphrase,
  },
  {
    kind: "Vault token",
    pattern:
      /(?<![A-Za-z])(?:vault|token)(?![a-z])[^\n]{0,60}?(?<![\w.])(?<value>s\.[A-Za-z0-9]{24})(?!\w)/dgi,
    isSecret: (value) => /\d/.test(value) && !isPlaceholder(value) && looksGenerated(value),
  },
  {
    kind: "Rails master key",
    // Also as a shell prints it: alone on the line below the file name.
    pattern:
      /(?<![\w-])(?:master|credentials|production|staging|development)\.key["'`*)]{0,4}(?:[ \t]{0,4}(?:[:=,]|->|→|is[ \t])[ \t*]{0,4}|(?<below>[ \t]{0,4}\r?\n[ \t]{0,8})|[ \t]{1,4})["'`(]{0,2}(?<value>[0-9a-f]{32})(?![\w.-])/dg,
    isSecret: isMasterKey,
  },
];

/** Neither a year, nor repeated, nor counting; longer numbers, such as postal codes, need a word for what they unlock. */
function isPin(value: string, { input, index, groups }: RegExpExecArray): boolean {
  if (/^(?:19|20)\d\d$|^(\d)\1+$|^0?1234/.test(value) || /^(\d\d)\1+$/.test(value)) return false;
  const around = input.slice(Math.max(0, index - MAX_PIN_CONTEXT), index) + (groups?.["of"] ?? "");
  return value.length === 4 || LOCKED.test(around);
}

/** Unlike a sentence, a passphrase has no words such as "the" or "must". */
function isPassphrase(value: string): boolean {
  const words = value.split(/[^a-z]/);
  return new Set(words).size === words.length && !words.some((word) => COMMON_WORDS.has(word));
}

/** At least two of them are neither words nor error numbers. */
function areRecoveryCodes(value: string): boolean {
  if (isPlaceholder(value)) return false;
  const codes = value.match(/[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,3}/g) ?? [];
  return codes.filter((code) => code.split("-").some(isMixedGroup)).length >= MIN_CODES;
}

function isMixedGroup(group: string): boolean {
  return /\d[a-z]+\d|[a-z]\d+[a-z]/i.test(group);
}

/** The line below the name may also belong to a list of checksums, in which case the next name follows. */
function isMasterKey(value: string, match: RegExpExecArray): boolean {
  const end = match.index + match[0].length;
  const isBelow = match.groups?.["below"] !== undefined;
  const isListed = isBelow && /^[ \t]{1,4}\S/.test(match.input.slice(end, end + 5));
  return !isListed && !isPlaceholderPassword(value);
}
