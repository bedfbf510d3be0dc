import { significantTerms } from "./words.ts";

/** The input of WriteMemoryTopic for a fact. */
export interface TopicDraft {
  readonly name: string;
  readonly description: string;
  readonly type: "user" | "feedback" | "project" | "reference";
  readonly body: string;
}

/** Turns a fact into a topic. The same fact always gives the same topic. */
export function draftTopic(fact: string): TopicDraft {
  const body = fact.toWellFormed().trim();
  return { name: slugFor(body), description: shortened(body), type: typeOf(body), body };
}

const REFERENCE =
  /https?:\/\/|\b(?:docs?|documentation|wiki|dashboard|runbook)\b.{0,80}\b(?:at|in|on)\b/i;
const FEEDBACK = /\b(?:always|never|don['’]?t|do not|stop|avoid|must not)\b/i;
const USER = /^(?:i|i['’](?:m|ve|d|ll)|my|me|call me)\b/i;

function typeOf(fact: string): TopicDraft["type"] {
  if (REFERENCE.test(fact)) return "reference";
  if (FEEDBACK.test(fact)) return "feedback";
  return USER.test(fact) ? "user" : "project";
}

/** The limit of the memory tools. */
export const MAX_DESCRIPTION_CHARACTERS = 120;

/** One line that fits into the index. */
export function shortened(text: string): string {
  const characters = Array.from(text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim());
  if (characters.length <= MAX_DESCRIPTION_CHARACTERS) return characters.join("");
  const cut = characters.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("");
  return `${cut.replace(/\s+\S*$/, "") || cut}…`;
}

const MAX_SLUG_WORDS = 4;
const MAX_SLUG_CHARACTERS = 48;
/** Names of tiers, of the index, and of devices on Windows, which no topic can have. */
const RESERVED = /^(?:global|project|memory|con|prn|aux|nul|com\d|lpt\d)$/;

/** The first significant words in Latin letters; a checksum where there are none. */
function slugFor(fact: string): string {
  const plain = fact.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const words = significantTerms(plain.replaceAll(/https?:\/\//gi, " ")).filter((word) =>
    /^[a-z0-9]+$/.test(word),
  );
  const isSignificant = words.some((word) => /[a-z]{2}/.test(word));
  const slug = (isSignificant ? words.slice(0, MAX_SLUG_WORDS) : []).reduce((name, word) => {
    const longer = name === "" ? word : `${name}-${word}`;
    return longer.length > MAX_SLUG_CHARACTERS ? name : longer;
  }, "");
  return slug === "" || RESERVED.test(slug) ? `note-${checksum(fact)}` : slug;
}

/** FNV-1a with 32 bits: enough to tell a handful of topics apart. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}
