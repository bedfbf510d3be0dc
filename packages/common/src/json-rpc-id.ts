import { parseJson } from "./json.ts";
import type { InputLine } from "./line-splitter.ts";

const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[\w.:-]{1,100}")`;
// The first member, or the first one after the version.
const ID_FIRST = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}\s*,`);
// The last member: nothing follows but the end of the message.
const ID_LAST = new RegExp(String.raw`,\s*${ID}\s*\}\s*$`);

/** Finds the id of a JSON-RPC message without reading it, so that a waiting client gets an answer. */
export function idAtEnds({
  head,
  tail,
}: InputLine & { readonly kind: "too-long" }): string | number | null {
  const found = ID_FIRST.exec(head)?.[1] ?? ID_LAST.exec(tail)?.[1];
  const id = found === undefined ? undefined : parseJson(found);
  return typeof id === "string" || typeof id === "number" ? id : null;
}
