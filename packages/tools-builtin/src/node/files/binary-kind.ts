const PICTURE = "and this tool cannot use images";
const DOCUMENT = "and caliban cannot view documents";
const BINARY = "and only text can be read";

/** Known file types: their first bytes, a description, and why they are not shown. */
const KINDS: readonly (readonly [start: string, kind: string, reason: string])[] = [
  ["\u0089PNG\r\n\u001A\n", "a PNG image", PICTURE],
  ["\u00FF\u00D8\u00FF", "a JPEG image", PICTURE],
  ["GIF8", "a GIF image", PICTURE],
  ["%PDF-", "a PDF document", DOCUMENT],
  ["PK\u0003\u0004", "a ZIP archive, or a document in one", BINARY],
  ["\u001F\u008B", "a gzip archive", BINARY],
  ["\u007FELF", "an executable", BINARY],
  ["SQLite format 3\0", "an SQLite database", BINARY],
  ["\0asm", "a WebAssembly module", BINARY],
];

const INSPECTED_BYTES = 8_192;

/** Describes a file that starts with these bytes, and why it is not shown. Returns `undefined` for text. */
export function describeBinary(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, INSPECTED_BYTES)).toString("latin1");
  if (start.startsWith("RIFF") && start.slice(8, 12) === "WEBP") return `a WebP image, ${PICTURE}`;
  const known = KINDS.find(([beginning]) => start.startsWith(beginning));
  if (known !== undefined) return `${known[1]}, ${known[2]}`;
  if (/^(?:\u00FF\u00FE|\u00FE\u00FF)/.test(start)) {
    return "UTF-16 text, and only UTF-8 can be read; convert it with iconv in Bash";
  }
  return start.includes("\0") ? `a binary file, ${BINARY}` : undefined;
}
