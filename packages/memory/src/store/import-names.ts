import { utf8Bytes } from "@caliban/common";
import { isMemoryError } from "../errors.ts";
import { parseNewTopicSlug, type TopicSlug } from "../topics/slug.ts";

const MAX_NAME_BYTES = 100;
/** Leaves room for the suffix of an alternative name. */
const MAX_STEM_BYTES = 70;

/** The slug for a file of another program: its own name if that is valid, otherwise a similar one. */
export function toTopicSlug(stem: string): TopicSlug {
  return slugIfValid(stem) ?? similarSlug(stem);
}

/** Another name for a topic whose name is taken: `deploy-from-claude`, then `deploy-from-claude-2`. */
export function alternativeSlug(slug: TopicSlug, agent: string, attempt: number): TopicSlug {
  const end = `-from-${agent}${attempt === 1 ? "" : `-${attempt}`}`;
  return parseNewTopicSlug(`${truncate(slug, MAX_NAME_BYTES - utf8Bytes(end))}${end}`);
}

function similarSlug(stem: string): TopicSlug {
  const words = stem
    .toWellFormed()
    .normalize("NFC")
    .replace(/\.md$/i, "")
    .replaceAll(/[^\p{L}\p{M}\p{N} ._-]+/gu, "-")
    .replaceAll(/\.{2,}/g, "-")
    .replace(/^[^\p{L}\p{N}]+/u, "");
  const name = truncate(words, MAX_STEM_BYTES)
    .replace(/[^\p{L}\p{M}\p{N}]+$/u, "")
    .replace(/\.(?=md$)/i, "-");
  return slugIfValid(name) ?? parseNewTopicSlug(name === "" ? "note" : `note-${name}`);
}

function slugIfValid(name: string): TopicSlug | undefined {
  try {
    return parseNewTopicSlug(name);
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    return undefined;
  }
}

/** The start of a text, at most `maxBytes` long, without splitting a character. */
function truncate(text: string, maxBytes: number): string {
  let kept = "";
  let bytes = 0;
  for (const character of text) {
    bytes += utf8Bytes(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}
