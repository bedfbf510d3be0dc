import { isStorable } from "../storable-text.ts";
import { invalidArgument } from "./pool.ts";

// All parts of a key and a name of a topic fit into an index row of 2,704 bytes.
const MAX_BYTES = 500;
// PostgreSQL cuts longer identifiers without an error.
const MAX_SCHEMA_BYTES = 63;

/** Checks a part of the key of a store, or the name of a schema. */
export function checkName(
  functionName: string,
  { name, value }: { readonly name: string; readonly value: unknown },
): string {
  if (value === undefined) throw invalidArgument(`${functionName}: "${name}" is required`);
  if (typeof value !== "string" || value === "" || !isStorable(value)) {
    throw invalidArgument(`${functionName}: "${name}" must be a text that is not empty`);
  }
  const maxBytes = name === "schema" ? MAX_SCHEMA_BYTES : MAX_BYTES;
  if (new TextEncoder().encode(value).length > maxBytes) {
    throw invalidArgument(`${functionName}: "${name}" is longer than ${maxBytes} bytes`);
  }
  return value;
}
