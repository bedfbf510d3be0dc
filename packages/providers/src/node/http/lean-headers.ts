type HeaderEntries = Iterable<readonly [string, string]>;

/** The members of `Headers` that the AI SDK uses. */
export interface LeanHeadersValue extends HeaderEntries {
  readonly get: (name: string) => string | null;
  readonly has: (name: string) => boolean;
  readonly set: (name: string, value: string) => void;
  readonly append: (name: string, value: string) => void;
  readonly delete: (name: string) => void;
  readonly forEach: (visit: (value: string, name: string) => void) => void;
  readonly entries: () => IterableIterator<[string, string]>;
  readonly keys: () => IterableIterator<string>;
  readonly values: () => IterableIterator<string>;
}

/**
 * Replaces the global `Headers`, whose first use makes Node load its whole fetch (see README.md). The build puts it into
 * the AI SDK's request code. It works with and without `new`.
 */
export function LeanHeaders(
  init: Readonly<Record<string, string>> | HeaderEntries = {},
): LeanHeadersValue {
  const pairs: Iterable<readonly [string, string]> = isIterable(init) ? init : Object.entries(init);
  const values = new Map<string, string>();
  const append = (name: string, value: string): void => {
    const key = name.toLowerCase();
    const previous = values.get(key);
    values.set(key, previous === undefined ? value.trim() : `${previous}, ${value.trim()}`);
  };
  for (const [name, value] of pairs) append(name, value);
  return {
    get: (name) => values.get(name.toLowerCase()) ?? null,
    has: (name) => values.has(name.toLowerCase()),
    set: (name, value) => void values.set(name.toLowerCase(), value.trim()),
    append,
    delete: (name) => void values.delete(name.toLowerCase()),
    forEach: (visit) => {
      for (const [name, value] of values) visit(value, name);
    },
    entries: () => values.entries(),
    keys: () => values.keys(),
    values: () => values.values(),
    [Symbol.iterator]: () => values.entries(),
  };
}

function isIterable(init: Readonly<Record<string, string>> | HeaderEntries): init is HeaderEntries {
  return Symbol.iterator in init;
}
