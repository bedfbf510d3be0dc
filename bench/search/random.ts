/** Draws numbers that look like chance and are the same in every run. */
export interface Random {
  /** From 0 up to, and without, `below`. */
  readonly whole: (below: number) => number;
  readonly pick: (from: readonly string[]) => string;
}

/** A linear congruential generator, with the well-known constants of Numerical Recipes. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const whole = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return { whole, pick: (from) => from[whole(from.length)] ?? "" };
}
