/** The own property of a JSON value; `undefined` when the value has no such property. */
export function jsonField(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
