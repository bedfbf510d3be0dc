/** A pseudo-random generator with the same values in every run. */
export interface Random {
  /** An integer from 0 to `below`, exclusive. */
  readonly integer: (below: number) => number;
  readonly pick: (from: readonly string[]) => string;
}

/** A linear congruential generator, with the well-known constants of Numerical Recipes. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const integer = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return { integer, pick: (from) => from[integer(from.length)] ?? "" };
}
