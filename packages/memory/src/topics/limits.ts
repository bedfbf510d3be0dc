/** The index: the one file of auto-memory that every session sees. */
export const INDEX_FILE = "MEMORY.md";
/** Most lines and bytes of the index that reach the prompt. */
export const MAX_INDEX_LINES = 200;
export const MAX_INDEX_BYTES = 25_600;
/** From this share of a limit on, a write warns; the warning asks to come down to the other. */
export const WARN_SHARE = 0.8;
export const TARGET_SHARE = 0.7;

export const MAX_DESCRIPTION_CHARACTERS = 120;
export const MAX_BODY_BYTES: number = 256 * 1024;
/** More than any header has: 16,384 characters of three bytes, and the lines around them. */
export const MAX_HEADER_BYTES: number = 49 * 1024;
/** Most bytes of a topic file that are read: a body, and a header around it. */
export const MAX_TOPIC_BYTES: number = MAX_BODY_BYTES + MAX_HEADER_BYTES;
/** From this age on a note is to be checked before anybody relies on it. */
export const STALE_DAYS = 2;
