/** Throws an error that shows both values, which fails a test in any runner. */
export function expectEqual(actual: unknown, expected: unknown, label: string): void {
  const [shownActual, shownExpected] = [shown(actual), shown(expected)];
  if (shownActual === shownExpected) return;
  throw new Error(`${label}\nexpected: ${shownExpected}\nactual:   ${shownActual}`);
}

/** Expects a rejection with a code. */
export async function expectCode(
  action: () => Promise<unknown>,
  code: string,
  label: string,
): Promise<void> {
  const found = await action().then(
    () => "no failure",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
  expectEqual(found, code, label);
}

function shown(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? String(value);
}
