/** The index: the one file of auto-memory that every session sees. */
export const INDEX_FILE = "MEMORY.md";
/** How many lines and bytes of the index reach the prompt. */
export const MAX_INDEX_LINES = 200;
export const MAX_INDEX_BYTES = 25_600;
/** A write warns once the index reaches this share of a limit, and asks to shrink it to `TARGET_SHARE`. */
export const WARN_SHARE = 0.8;
export const TARGET_SHARE = 0.7;

export const MAX_DESCRIPTION_CHARACTERS = 120;
export const MAX_BODY_BYTES: number = 256 * 1024;
/** More than any valid header: 16,384 characters of three bytes, plus the lines around them. */
export const MAX_HEADER_BYTES: number = 49 * 1024;
/** How much of a topic file is read: a body, and a header before it. */
export const MAX_TOPIC_BYTES: number = MAX_BODY_BYTES + MAX_HEADER_BYTES;
/** More than an index of a hundred thousand topics. */
export const MAX_INDEX_FILE_BYTES: number = 16 * 1024 * 1024;
/** A topic of this age should be verified before anyone relies on it. */
export const STALE_DAYS = 2;
