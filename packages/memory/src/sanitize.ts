import { OWN_TAGS } from "./tier.ts";

const OWN_TAG = new RegExp(String.raw`<(?=\s*/?\s*(?:${OWN_TAGS.join("|")})(?![\w-]))`, "gi");
const FRAME_LINE = /^(?=[^\S\n]*\[(?:truncated:|imported from|end of|@-import))/gim;
const BYTE_ORDER_MARK = /^\uFEFF/;

/** Makes a file's text fit to stand in a block: one kind of line end, and nothing that could close its frame. */
export function sanitize(text: string): string {
  return text
    .replace(BYTE_ORDER_MARK, "")
    .replaceAll("\r\n", "\n")
    .replaceAll("\0", "\uFFFD")
    .replace(OWN_TAG, "&lt;")
    .replace(FRAME_LINE, "\\");
}
