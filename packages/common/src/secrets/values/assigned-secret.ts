import { isExpression, isReference } from "./reference.ts";
import { isTechnicalName, looksGenerated } from "./looks-generated.ts";
import { isTruncated, isPlaceholderPassword } from "./placeholder.ts";

/** What the name of a value suggests about it. */
export type SecretFamily = "password" | "key" | "secret" | "token";

/** A value that is assigned to a name. */
export interface AssignedValue {
  readonly family: SecretFamily;
  readonly value: string;
  /** Whether the value is in quotes, and therefore not an expression. */
  readonly isQuoted: boolean;
  /** Whether the value merely follows the name, so that they may be unrelated: "the token `…`". */
  readonly isAdjacent: boolean;
}

const MIN_LENGTH: Readonly<Record<SecretFamily, number>> = {
  password: 8,
  key: 12,
  secret: 10,
  token: 12,
};
const MIN_QUOTED_PASSWORD_LENGTH = 6;
const MIN_PHRASE_LENGTH = 20;
const MIN_WORD_PASSWORD_LENGTH = 10;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const HASH = /^[0-9a-f]{7,64}$/;
// A variable with the name of what it contains: `password=new_password`.
const OWN_NAME = /^[a-z_.]*(?:passwo?r?d|passphrase|secret|token|credential)[a-z_.]*$/i;
const SYMBOL_INSIDE = /.[!@#$%^&*+=?~]./;

/** Whether a value that is assigned to a name is the secret itself, and not its type, its location or a placeholder. */
export function isAssignedSecret(assigned: AssignedValue): boolean {
  const { family, value, isQuoted, isAdjacent } = assigned;
  const isQuotedPassword = family === "password" && isQuoted;
  const shortest = isQuotedPassword ? MIN_QUOTED_PASSWORD_LENGTH : MIN_LENGTH[family];
  if (value.length < shortest || isSomethingElse(assigned)) return false;
  if (looksGenerated(value)) return true;
  return (
    family === "password" &&
    (isQuoted ? !isAdjacent && isWordLikePassword(value) : isWordPassword(value))
  );
}

function isSomethingElse({ family, value, isQuoted, isAdjacent }: AssignedValue): boolean {
  if (isReference(value) || isPlaceholderPassword(value)) return true;
  if (!isQuoted && (isExpression(value) || OWN_NAME.test(value))) return true;
  if (family !== "password" && isTruncated(value)) return true;
  // Requests and pages have tokens that are not credentials.
  if (family === "token" && UUID.test(value)) return true;
  // A commit: "the fix for the token `9fceb02`".
  return isAdjacent && HASH.test(value);
}

function isWordLikePassword(value: string): boolean {
  // Separators indicate a name: `password: "field-2"`.
  if (/[\s_./:-]/.test(value) || isTechnicalName(value)) return false;
  if (/^[a-z]+$/i.test(value)) return value.length >= MIN_PHRASE_LENGTH;
  return /\d/.test(value) || SYMBOL_INSIDE.test(value);
}

/** A password made of words, such as `BlueElephant77`; names in code do not look like this. */
function isWordPassword(value: string): boolean {
  return (
    value.length >= MIN_WORD_PASSWORD_LENGTH &&
    /^[A-Z][a-z][A-Za-z]*\d{2,}\W?$/.test(value) &&
    !isTechnicalName(value)
  );
}
