import { isRecord } from "../../../is-record.ts";

/** The fields of what a source kept for itself; none where it kept nothing, or something else. */
export function parseCursor(memo: string | undefined): Readonly<Record<string, unknown>> {
  if (memo === undefined || memo === "") return {};
  try {
    const value: unknown = JSON.parse(memo);
    return isRecord(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
