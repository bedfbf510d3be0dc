import { isExpression, isReference } from "./is-reference.ts";
import { isTechnicalName, looksGenerated } from "./looks-generated.ts";
import { isCutOff, isStandInPassword } from "./stand-in.ts";

/** What the name of a value says about it. */
export type SecretFamily = "password" | "key" | "secret" | "token";

/** A value that was given to a name. */
export interface AssignedValue {
  readonly family: SecretFamily;
  readonly value: string;
  /** Whether the value stands in quotes, so that it can be no expression. */
  readonly isQuoted: boolean;
  /** Whether name and value stand side by side, so that one may not be meant for the other: "the token `…`". */
  readonly isAside: boolean;
}

const SHORTEST: Readonly<Record<SecretFamily, number>> = {
  password: 8,
  key: 12,
  secret: 8,
  token: 12,
};
const SHORTEST_QUOTED_PASSWORD = 6;
const SHORTEST_PHRASE = 20;
const SHORTEST_PASSWORD_OF_WORDS = 10;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const HASH = /^[0-9a-f]{7,64}$/;
const SYMBOL_INSIDE = /.[!@#$%^&*+=?~]./;

/** Whether a value that was given to a name is the secret itself, not its type, its place or a stand-in. */
export function isAssignedSecret(assigned: AssignedValue): boolean {
  const { family, value, isQuoted, isAside } = assigned;
  const isQuotedPassword = family === "password" && isQuoted;
  const shortest = isQuotedPassword ? SHORTEST_QUOTED_PASSWORD : SHORTEST[family];
  if (value.length < shortest || isSomethingElse(assigned)) return false;
  if (looksGenerated(value)) return true;
  return (
    family === "password" &&
    (isQuoted ? !isAside && isWordLikePassword(value) : isPasswordOfWords(value))
  );
}

function isSomethingElse({ family, value, isQuoted, isAside }: AssignedValue): boolean {
  if (isReference(value) || isStandInPassword(value)) return true;
  if (!isQuoted && isExpression(value)) return true;
  if (family !== "password" && isCutOff(value)) return true;
  // Requests and pages have tokens that are no credentials.
  if (family === "token" && UUID.test(value)) return true;
  // A commit: "the fix of the token `9fceb02`".
  return isAside && HASH.test(value);
}

function isWordLikePassword(value: string): boolean {
  // Separators make a name of it: `password: "field-2"`.
  if (/[\s_./:-]/.test(value) || isTechnicalName(value)) return false;
  if (/^[a-z]+$/i.test(value)) return value.length >= SHORTEST_PHRASE;
  return /\d/.test(value) || SYMBOL_INSIDE.test(value);
}

/** A person's password of words, `BlueElephant77`; no name in code is written so. */
function isPasswordOfWords(value: string): boolean {
  return (
    value.length >= SHORTEST_PASSWORD_OF_WORDS &&
    /^[A-Z][a-z][A-Za-z]*\d{2,}\W?$/.test(value) &&
    !isTechnicalName(value)
  );
}
