/** Puts a mark in place of secrets. */
export type SecretMask = (text: string) => string;

/** The same for text that comes in pieces: what may be the beginning of a secret waits for the next piece. */
export interface StreamMask {
  readonly push: (piece: string) => string;
  readonly end: () => string;
}

const MARK = "[masked]";
/** Shorter ones are words that would be masked everywhere. */
const LEAST_CHARACTERS = 8;

/** Masks the exact values it is given; those shorter than eight characters are left alone. */
export function createSecretMask(values: readonly (string | undefined)[]): SecretMask {
  const { pattern } = compile(values);
  return pattern === undefined ? (text) => text : (text) => text.replace(pattern, MARK);
}

/** Gives the same text as the mask for the whole, however it is cut. */
export function createStreamMask(values: readonly (string | undefined)[]): StreamMask {
  const { pattern, longest } = compile(values);
  if (pattern === undefined) return { push: (piece) => piece, end: () => "" };
  let held = "";
  const release = (sureUntil: number): string => {
    let [from, safe] = [0, ""];
    for (const { index, 0: found } of held.matchAll(pattern)) {
      // A longer secret may begin here, and go on in the next piece.
      if (index >= sureUntil) break;
      safe += held.slice(from, index) + MARK;
      from = index + found.length;
    }
    const until = Math.max(from, sureUntil);
    safe += held.slice(from, until);
    held = held.slice(until);
    return safe;
  };
  return {
    push: (piece) => {
      held += piece;
      return release(Math.max(0, held.length - longest + 1));
    },
    end: () => release(held.length),
  };
}

function compile(values: readonly (string | undefined)[]): {
  readonly pattern: RegExp | undefined;
  readonly longest: number;
} {
  const secrets = [...new Set(values.map((value) => value?.trim() ?? ""))]
    .filter((value) => value.length >= LEAST_CHARACTERS)
    // The longest first, or its end would be left standing behind the mark of a shorter one.
    .toSorted((a, b) => b.length - a.length);
  if (secrets.length === 0) return { pattern: undefined, longest: 0 };
  const source = secrets.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  return { pattern: new RegExp(source, "g"), longest: secrets[0]?.length ?? 0 };
}
