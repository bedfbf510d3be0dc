import type { MemoryNotice } from "./receipt.ts";

/** What to say of bytes that are not UTF-8. */
export function encodingNotice(
  path: string,
  invalidAt: { readonly line: number; readonly column: number } | undefined,
): readonly MemoryNotice[] {
  if (invalidAt === undefined) return [];
  const { line, column } = invalidAt;
  const sentence = `${path}:${line}:${column}: these bytes are not valid UTF-8 and were replaced; save the file as UTF-8.`;
  return [{ code: "INVALID_UTF8", message: sentence }];
}

/** What to say of a comment that never ends. */
export function commentNotice(path: string, line: number | undefined): readonly MemoryNotice[] {
  if (line === undefined) return [];
  const sentence = `${path}:${line}: this comment never ends, so it stays in the prompt; close it with -->.`;
  return [{ code: "OPEN_COMMENT", message: sentence }];
}
