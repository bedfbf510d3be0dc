/** The parts of a word as programs write it: `parseTopicHeader`, `snake_case`, `src/node/disk.ts`, `HTTPServer2`. */
export interface SplitForm {
  readonly parts: readonly string[];
  /** All parts as one word, where there are several: who looks for the identifier finds it, however it is written. */
  readonly whole: string | undefined;
}

const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{L}\p{M}]+?(?=\p{Lu}|[^\p{L}\p{M}]|$)|\p{N}+/gu;
const APOSTROPHE = /['’]/;

export function splitForm(form: string): SplitForm {
  const parts = (form.match(PARTS) ?? []).map((part) => part.toLowerCase());
  if (parts.length < 2 || APOSTROPHE.test(form)) return { parts, whole: undefined };
  const isNumber = parts.every((part) => /^\p{N}/u.test(part));
  return { parts, whole: parts.join(isNumber ? "." : "") };
}
