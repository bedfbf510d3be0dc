/** Whether a value of JSON is nested no deeper than this: what walks through it must not run out of stack. */
export function isNestedWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((item) => isNestedWithin(item, depth - 1));
}
