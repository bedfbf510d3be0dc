import { isReference } from "./reference.ts";
import { isPlaceholderPassword } from "./placeholder.ts";

const MIN_PASSWORD_LENGTH = 4;
const PORT_OR_TAG = /^\d{1,5}$|^v?\d+\.\d/;
// Fixed words that GitHub expects instead of a password.
const FIXED_NAME = /^x-(?:oauth-basic|access-token)$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Whether `user:password` are real credentials, and not the defaults of an image (`guest:guest`). */
export function areCredentials(user: string, password: string): boolean {
  return (
    password.length >= MIN_PASSWORD_LENGTH &&
    password !== user &&
    !PORT_OR_TAG.test(password) &&
    !FIXED_NAME.test(password) &&
    !isReference(password) &&
    !isPlaceholderPassword(password)
  );
}

/** Whether a value is `user:password` in Base64. */
export function areEncodedCredentials(value: string): boolean {
  // No bytes encode to this length, and `atob` throws for it.
  if (!BASE64.test(value) || value.replace(/=+$/, "").length % 4 === 1) return false;
  const text = atob(value.replace(/=+$/, ""));
  const colon = text.indexOf(":");
  // Any word is valid Base64; only credentials decode to readable text.
  if (!/^[\x20-\x7E]+$/.test(text)) return false;
  return colon !== -1 && areCredentials(text.slice(0, colon), text.slice(colon + 1));
}
