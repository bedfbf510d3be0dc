/** The environment as a value. Nothing in a pure file looks at the real one. */
export type Environment = Readonly<Record<string, string | undefined>>;

const ON: ReadonlySet<string> = new Set(["1", "true", "yes", "on"]);
const OFF: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);

/** Reads a switch such as `CALIBAN_DISABLE_AUTO_MEMORY`; `undefined` when the word is neither yes nor no. */
export function parseSwitch(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (ON.has(word)) return true;
  return OFF.has(word) ? false : undefined;
}

/** Reads a whole number above zero that is written in plain digits; `undefined` for anything else. */
export function parsePositiveInteger(text: string): number | undefined {
  if (!/^[1-9]\d*$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
