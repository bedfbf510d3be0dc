/** Throws an error that shows both values. Any test runner takes that for a failure. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [shownActual, shownExpected] = [shown(actual), shown(expected)];
  if (shownActual === shownExpected) return;
  throw new Error(`${what}\nexpected: ${shownExpected}\nactual:   ${shownActual}`);
}

/** Expects a failure with a code. */
export async function expectCode(
  action: () => Promise<unknown>,
  code: string,
  what: string,
): Promise<void> {
  const found = await action().then(
    () => "no failure",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
  expectEqual(found, code, what);
}

function shown(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? String(value);
}
