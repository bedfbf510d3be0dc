/** Replaces secrets in a text. */
export type SecretMask = (text: string) => string;

/** Does the same for text that arrives in chunks: a possible start of a secret is held back until the next chunk. */
export interface StreamMask {
  readonly push: (chunk: string) => string;
  readonly end: () => string;
}

const REPLACEMENT = "[masked]";
/** Shorter values are ordinary words that would be masked everywhere. */
const MIN_CHARACTERS = 8;

/** Creates a mask for exact values. Values of fewer than eight characters are ignored. */
export function createSecretMask(values: readonly (string | undefined)[]): SecretMask {
  const { pattern } = compile(values);
  return pattern === undefined ? (text) => text : (text) => text.replace(pattern, REPLACEMENT);
}

/** Creates a mask for chunks. However the text is split, the result is the same as for the whole text. */
export function createStreamMask(values: readonly (string | undefined)[]): StreamMask {
  const { pattern, maxLength } = compile(values);
  if (pattern === undefined) return { push: (chunk) => chunk, end: () => "" };
  let held = "";
  const release = (safeLength: number): string => {
    let [from, masked] = [0, ""];
    for (const { index, 0: found } of held.matchAll(pattern)) {
      // A longer secret may start here and continue in the next chunk.
      if (index >= safeLength) break;
      masked += held.slice(from, index) + REPLACEMENT;
      from = index + found.length;
    }
    const until = Math.max(from, safeLength);
    masked += held.slice(from, until);
    held = held.slice(until);
    return masked;
  };
  return {
    push: (chunk) => {
      held += chunk;
      return release(Math.max(0, held.length - maxLength + 1));
    },
    end: () => release(held.length),
  };
}

function compile(values: readonly (string | undefined)[]): {
  readonly pattern: RegExp | undefined;
  readonly maxLength: number;
} {
  const secrets = [...new Set(values.map((value) => value?.trim() ?? ""))]
    .filter((value) => value.length >= MIN_CHARACTERS)
    // Longest first. Otherwise masking a shorter secret would leave the end of a longer one visible.
    .toSorted((a, b) => b.length - a.length);
  if (secrets.length === 0) return { pattern: undefined, maxLength: 0 };
  const source = secrets.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  return { pattern: new RegExp(source, "g"), maxLength: secrets[0]?.length ?? 0 };
}
