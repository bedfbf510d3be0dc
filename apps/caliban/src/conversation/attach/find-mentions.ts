/** A path after an `@` in a message. */
export interface Mention {
  readonly path: string;
  /** Whether it is in quotes, so that it cannot be meant as anything but a path. */
  readonly isQuoted: boolean;
}

const MENTION = /(?<=^|[\s([{])@(?:"((?:[^"\\\n]|\\.)+)"|([^\s"]\S*))/gu;
const PUNCTUATION = /[.,;:!?)\]}'"…]+$/u;

/**
 * Finds what may be a path, in order and once each. An `@` inside of a word, as in an e-mail address, starts none. A word
 * with punctuation at its end is returned with it and without it.
 */
export function findMentions(text: string): readonly (readonly Mention[])[] {
  const found = new Map<string, readonly Mention[]>();
  for (const [whole, quoted, word = ""] of text.matchAll(MENTION)) {
    if (found.has(whole)) continue;
    const readings = quoted === undefined ? readingsOf(word) : [unquote(quoted)];
    found.set(
      whole,
      readings.map((path) => ({ path, isQuoted: quoted !== undefined })),
    );
  }
  return [...found.values()];
}

function readingsOf(word: string): readonly string[] {
  const bare = word.replace(PUNCTUATION, "");
  return bare === word || bare === "" ? [word] : [word, bare];
}

function unquote(text: string): string {
  return text.replaceAll(/\\(.)/gu, "$1");
}
