import { type Signal, signal } from "@preact/signals";

/** The rows of a list that the user selected, by key. */
export interface Selection {
  readonly keys: Signal<ReadonlySet<string>>;
  readonly toggle: (key: string) => void;
  readonly clear: () => void;
  readonly set: (keys: readonly string[]) => void;
}

/** Creates a selection that stays while the user looks at other views. */
export function createSelection(): Selection {
  const keys = signal<ReadonlySet<string>>(new Set());
  return {
    keys,
    toggle: (key) => {
      const next = new Set(keys.value);
      if (!next.delete(key)) next.add(key);
      keys.value = next;
    },
    clear: () => {
      keys.value = new Set();
    },
    set: (all) => {
      keys.value = new Set(all);
    },
  };
}
