const MAX_OPEN_CALLS = 1_000;

/** Remembers the tool of each call, because other agents write the name only with the call. */
export interface CallNames {
  readonly add: (id: string, name: string) => void;
  /** Returns and forgets the name of a call. */
  readonly take: (id: string) => string;
}

export function createCallNames(): CallNames {
  const names = new Map<string, string>();
  return {
    add: (id, name) => {
      const [oldest] = names.keys();
      // Calls without a result must not pile up.
      if (names.size >= MAX_OPEN_CALLS && oldest !== undefined) names.delete(oldest);
      names.set(id, name);
    },
    take: (id) => {
      const name = names.get(id) ?? "";
      names.delete(id);
      return name;
    },
  };
}
