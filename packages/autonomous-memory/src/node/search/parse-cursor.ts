import { parseJsonRecord } from "@caliban/common";

/** Parses what a source stored with an entry; empty when it stored nothing, or something invalid. */
export function parseCursor(cursor: string | undefined): Readonly<Record<string, unknown>> {
  return parseJsonRecord(cursor ?? "") ?? {};
}
