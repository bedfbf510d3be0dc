import { isExpression, isReference } from "./reference.ts";
import { looksGenerated } from "./looks-generated.ts";
import { isPlaceholderPassword } from "./placeholder.ts";

const MIN_LENGTH = 8;
const SYMBOL = /[!#$%^&*+=?~]/;
// Patterns, calls and Windows paths.
const CODE = /[[\](){}\\]/;
const PACKAGE_OR_ADDRESS = /@[~^]?v?\d|^[\w.+-]+@[\w-]+\.[\w.-]+$/;
const FILE = /\.[a-z]\w{0,4}$/i;
const FOLDERS = /^[\w.-]+(?:\/[\w.-]+){2,}$/;
// Names of algorithms and formats have digits inside a word: `PBKDF2WithHmacSHA256`.
const TECHNICAL =
  /sha-?\d+|md[45]|aes-?\d+|rsa-?\d+|ed(?:25519|448)|x(?:64|86|509|25519)|int\d+|float\d+|utf-?\d+|iso-?\d+|base\d+|[hrep]s(?:256|384|512)|argon2(?:id?|d)?|pbkdf\d|secp\d+|oauth\d|ipv[46]|http\d|log4|pkcs\d+|win(?:32|64)|linux\d+|node\d+|python\d+|java\d+|web\d|(?:amd|arm)64/gi;

/**
 * Whether a value next to the word "password" is a password although only a space connects them: unlike words, names,
 * paths and versions, it mixes letters, digits and symbols, or both cases and digits.
 */
export function isMixedPassword(value: string): boolean {
  if (value.length < MIN_LENGTH || CODE.test(value) || isPath(value)) return false;
  if (PACKAGE_OR_ADDRESS.test(value) || isExpression(value)) return false;
  if (isReference(value) || isPlaceholderPassword(value)) return false;
  return isMixed(withoutTechnicalNames(value)) && looksGenerated(value);
}

export function withoutTechnicalNames(value: string): string {
  return value.replaceAll(TECHNICAL, "");
}

function isMixed(value: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/i.test(value)) return false;
  return SYMBOL.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value));
}

function isPath(value: string): boolean {
  return value.includes("/") && (FILE.test(value) || FOLDERS.test(value));
}
