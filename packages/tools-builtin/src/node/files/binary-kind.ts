const PICTURE = "and caliban cannot look at pictures yet";
const BINARY = "and only text can be read";

/** What files begin with, and what they are then. */
const KINDS: readonly (readonly [start: string, what: string, why: string])[] = [
  ["\u0089PNG\r\n\u001A\n", "a PNG picture", PICTURE],
  ["\u00FF\u00D8\u00FF", "a JPEG picture", PICTURE],
  ["GIF8", "a GIF picture", PICTURE],
  ["%PDF-", "a PDF document", PICTURE],
  ["PK\u0003\u0004", "a ZIP archive, or a document in one", BINARY],
  ["\u001F\u008B", "a gzip archive", BINARY],
  ["\u007FELF", "a program", BINARY],
  ["SQLite format 3\0", "an SQLite database", BINARY],
  ["\0asm", "a WebAssembly module", BINARY],
];

const LOOKED_AT_BYTES = 8_192;

/** Why a file that begins like this is not shown; `undefined` for text. */
export function describeBinary(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, LOOKED_AT_BYTES)).toString("latin1");
  if (start.startsWith("RIFF") && start.slice(8, 12) === "WEBP")
    return `a WebP picture, ${PICTURE}`;
  const known = KINDS.find(([beginning]) => start.startsWith(beginning));
  if (known !== undefined) return `${known[1]}, ${known[2]}`;
  if (/^(?:\u00FF\u00FE|\u00FE\u00FF)/.test(start)) {
    return "text in UTF-16, and only UTF-8 is read; Bash with iconv can convert it";
  }
  return start.includes("\0") ? `a binary file, ${BINARY}` : undefined;
}
