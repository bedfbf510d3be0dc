/**
 * Throws a clear error for callers without types, instead of one from deep inside.
 *
 * @throws TypeError such as `loadSettings: "env" is required`
 */
export function requireArguments<Input extends object>(
  functionName: string,
  input: Input | undefined,
  names: readonly (keyof Input & string)[],
): void {
  const missing = names.find((name) => input?.[name] === undefined);
  if (missing !== undefined) throw new TypeError(`${functionName}: "${missing}" is required`);
}
