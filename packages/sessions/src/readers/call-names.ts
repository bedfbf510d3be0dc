const MOST_OPEN_CALLS = 1_000;

/** Which tool a result belongs to: other agents write the name with the call only. */
export interface CallNames {
  readonly add: (id: string, name: string) => void;
  /** The name of the call; it is forgotten thereby. */
  readonly take: (id: string) => string;
}

export function createCallNames(): CallNames {
  const names = new Map<string, string>();
  return {
    add: (id, name) => {
      const [oldest] = names.keys();
      // Calls that nobody answers must not pile up.
      if (names.size >= MOST_OPEN_CALLS && oldest !== undefined) names.delete(oldest);
      names.set(id, name);
    },
    take: (id) => {
      const name = names.get(id) ?? "";
      names.delete(id);
      return name;
    },
  };
}
