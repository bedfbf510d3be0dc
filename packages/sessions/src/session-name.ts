import { SessionsError } from "./errors.ts";

const MAX_NAME_CHARACTERS = 80;
const NO_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * A name as a person may give it to a session: one line of at most 80 characters.
 * @throws SessionsError `INVALID_NAME`
 */
export function parseSessionName(text: string): string {
  const name = text.trim().normalize("NFC");
  const problem = nameProblem(name);
  if (problem === undefined) return name;
  throw new SessionsError("INVALID_NAME", `a session cannot be called so: ${problem}`);
}

function nameProblem(name: string): string | undefined {
  if (name === "") return "the name is empty";
  if (NO_NAME.test(name)) return "the name must be one line without control characters";
  if (name.length > MAX_NAME_CHARACTERS) {
    return `the name is longer than ${MAX_NAME_CHARACTERS} characters`;
  }
  return undefined;
}
