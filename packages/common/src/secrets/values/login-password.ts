import { areCredentials } from "./credentials.ts";
import { isMixedPassword, withoutTechnicalNames } from "./mixed-password.ts";

const MIN_LENGTH = 6;

/**
 * Whether the second of two values next to "login" is its password. Also a weak one such as `hunter2`, which would be a name
 * anywhere else.
 */
export function isLoginPassword(user: string, value: string): boolean {
  if (!areCredentials(user, value)) return false;
  return isMixedPassword(value) || isWeakPassword(withoutTechnicalNames(value));
}

function isWeakPassword(value: string): boolean {
  return (
    value.length >= MIN_LENGTH &&
    /^[a-z0-9!@#$%^&*?+]+$/.test(value) &&
    /[a-z]{2}/.test(value) &&
    /\d/.test(value)
  );
}
