import { parseJsonRecord } from "@caliban/common";
import type { TopicAction } from "../team/changes.ts";

/** A change of this user, on disk until it was sent. */
export interface PendingChange {
  /** The name of its file. Later changes have greater ones. */
  readonly id: string;
  readonly slug: string;
  /** The new text; `undefined` for a removal. */
  readonly text: string | undefined;
  /** What it started from; `undefined` for a new topic. */
  readonly base: string | undefined;
  readonly at: string;
}

export function actionOf({ text, base }: Pick<PendingChange, "text" | "base">): TopicAction {
  if (text === undefined) return "unshare";
  return base === undefined ? "share" : "edit";
}

export function renderPending({ slug, text, base, at }: Omit<PendingChange, "id">): string {
  return `${JSON.stringify({ slug, text: text ?? null, base: base ?? null, at })}\n`;
}

/** `undefined` for a damaged file. */
export function parsePending(id: string, file: string): PendingChange | undefined {
  const { slug, text, base, at } = parseJsonRecord(file) ?? {};
  if (typeof slug !== "string" || typeof at !== "string") return undefined;
  if (!isTextOrNull(text) || !isTextOrNull(base)) return undefined;
  return { id, slug, at, text: text ?? undefined, base: base ?? undefined };
}

/** A conflict that the user has not settled. */
export interface StoredConflict {
  readonly id: string;
  readonly slug: string;
  readonly mine: string | undefined;
  readonly theirs: string | undefined;
  readonly base: string | undefined;
  readonly at: string;
}

export function renderConflict({
  slug,
  mine,
  theirs,
  base,
  at,
}: Omit<StoredConflict, "id">): string {
  const texts = { mine: mine ?? null, theirs: theirs ?? null, base: base ?? null };
  return `${JSON.stringify({ slug, ...texts, at })}\n`;
}

/** `undefined` for a damaged file. */
export function parseConflict(id: string, file: string): StoredConflict | undefined {
  const { slug, mine, theirs, base, at } = parseJsonRecord(file) ?? {};
  if (typeof slug !== "string" || typeof at !== "string") return undefined;
  if (!isTextOrNull(mine) || !isTextOrNull(theirs) || !isTextOrNull(base)) return undefined;
  const texts = { mine: mine ?? undefined, theirs: theirs ?? undefined, base: base ?? undefined };
  return { id, slug, at, ...texts };
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
