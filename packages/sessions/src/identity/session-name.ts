import { SessionsError } from "../errors.ts";

const MAX_NAME_CHARACTERS = 80;
const INVALID = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Checks a name for a session: one line of at most 80 characters.
 * @throws SessionsError `INVALID_NAME`
 */
export function parseSessionName(text: string): string {
  const name = text.trim().normalize("NFC");
  const problem = nameProblem(name);
  if (problem === undefined) return name;
  throw new SessionsError("INVALID_NAME", `invalid session name: ${problem}`);
}

function nameProblem(name: string): string | undefined {
  if (name === "") return "it is empty";
  if (INVALID.test(name)) return "it must be one line without control characters";
  if (name.length > MAX_NAME_CHARACTERS) {
    return `it is longer than ${MAX_NAME_CHARACTERS} characters`;
  }
  return undefined;
}
