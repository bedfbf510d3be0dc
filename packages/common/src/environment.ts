/** The environment as a value. Pure files never look at the real one. */
export type Environment = Readonly<Record<string, string | undefined>>;

const ON: ReadonlySet<string> = new Set(["1", "true", "yes", "on"]);
const OFF: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);

/** Parses a flag such as `CALIBAN_DISABLE_AUTO_MEMORY`; `undefined` when the text is neither yes nor no. */
export function parseFlag(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (ON.has(word)) return true;
  return OFF.has(word) ? false : undefined;
}

/** Parses a positive integer in plain digits; `undefined` for anything else. */
export function parsePositiveInteger(text: string): number | undefined {
  if (!/^[1-9]\d*$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
