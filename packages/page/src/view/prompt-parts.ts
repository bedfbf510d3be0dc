import { TIER_TAGS } from "@caliban/memory";

/** One block of the prefix, with its frame: exactly what the model reads. */
export interface PromptPart {
  readonly path: string;
  readonly text: string;
}

const TAGS = [...Object.values(TIER_TAGS), "project-rule"].join("|");

/**
 * Splits a prefix into its blocks. Only caliban writes these tags: in a body they are escaped, so that a line that looks
 * like one is one.
 */
export function promptParts(prefix: string): readonly PromptPart[] {
  const opening = new RegExp(`^<(${TAGS}) path="([^"]*)"[^>]*>$`, "gm");
  return [...prefix.matchAll(opening)].flatMap(({ index, 1: tag = "", 2: path = "" }) => {
    const closing = `</${tag}>`;
    const end = prefix.indexOf(closing, index);
    if (end === -1) return [];
    return [{ path: unescapeAttribute(path), text: prefix.slice(index, end + closing.length) }];
  });
}

function unescapeAttribute(text: string): string {
  return text
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
