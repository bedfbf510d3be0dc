import { isRecord } from "@caliban/common";

/** The names of fields that every provider takes. */
const FIELD = /^[A-Za-z0-9_.-]{1,64}$/;

/** What some providers refuse at the top of a schema, and with it the whole request. */
const NOT_AT_THE_TOP: ReadonlySet<string> = new Set(
  "oneOf anyOf allOf not if then else $ref $dynamicRef dependentSchemas".split(" "),
);

/** A field whose name providers refuse; `undefined` where there is none. */
export function refusedField({
  properties,
}: Readonly<Record<string, unknown>>): string | undefined {
  return isRecord(properties)
    ? Object.keys(properties).find((name) => !FIELD.test(name))
    : undefined;
}

/** The same schema without what providers refuse at its top: it takes more, and the server checks what it gets itself. */
export function loosened(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !NOT_AT_THE_TOP.has(key)));
}
