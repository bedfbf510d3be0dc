import { utf8Bytes } from "@caliban/common";
import { MemoryError } from "../errors.ts";
import { parseNewTopicSlug, type TopicSlug } from "../topics/slug.ts";

const MAX_NAME_BYTES = 100;
/** Room for what tells a name from another. */
const MAX_STEM_BYTES = 70;

/** The name that a file of another program gets here: its own where that may be one, else one that is close to it. */
export function toTopicSlug(stem: string): TopicSlug {
  return nameOrUndefined(stem) ?? closeName(stem);
}

/** The name of a topic that stands beside another one of its name: `deploy-from-claude`, then `deploy-from-claude-2`. */
export function alternativeSlug(slug: TopicSlug, agent: string, attempt: number): TopicSlug {
  const end = `-from-${agent}${attempt === 1 ? "" : `-${attempt}`}`;
  return parseNewTopicSlug(`${cut(slug, MAX_NAME_BYTES - utf8Bytes(end))}${end}`);
}

function closeName(stem: string): TopicSlug {
  const words = stem
    .toWellFormed()
    .normalize("NFC")
    .replace(/\.md$/i, "")
    .replaceAll(/[^\p{L}\p{M}\p{N} ._-]+/gu, "-")
    .replaceAll(/\.{2,}/g, "-")
    .replace(/^[^\p{L}\p{N}]+/u, "");
  const name = cut(words, MAX_STEM_BYTES)
    .replace(/[^\p{L}\p{M}\p{N}]+$/u, "")
    .replace(/\.(?=md$)/i, "-");
  return nameOrUndefined(name) ?? parseNewTopicSlug(name === "" ? "note" : `note-${name}`);
}

function nameOrUndefined(name: string): TopicSlug | undefined {
  try {
    return parseNewTopicSlug(name);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return undefined;
  }
}

/** The beginning of a text that takes no more than some bytes, on a character boundary. */
function cut(text: string, maxBytes: number): string {
  let kept = "";
  let bytes = 0;
  for (const character of text) {
    bytes += utf8Bytes(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}
