import { parseJsonRecord } from "@caliban/common";
import type { TeamAuthor } from "../team/author.ts";
import type { RefusedEntry } from "../team/changes.ts";

/** What a clone knows about the team memory. A plain file, so that a prompt needs no git. */
export interface TeamState {
  readonly version: 1;
  readonly remote: string;
  /** The commit of the remote that was taken over last. */
  readonly head: string | undefined;
  /** The blobs of the shared topics at that commit, valid or not. */
  readonly topics: ReadonlyMap<string, string>;
  /** The tombstones at that commit. */
  readonly removed: ReadonlyMap<string, string>;
  /** Files that a push keeps, although they are not used: blobs by path. */
  readonly kept: ReadonlyMap<string, string>;
  readonly refused: readonly RefusedEntry[];
  /** Shared topics that cannot be used because of their content. */
  readonly invalid: readonly string[];
  /** The topics that the user trusts, with their texts. */
  readonly used: ReadonlyMap<string, UsedTopic>;
  /** Changes by authors who are not approved, since the version that is used. */
  readonly unapproved: ReadonlyMap<string, Unapproved>;
  /** Our commits, recorded before they are pushed. */
  readonly pushing: readonly PushedCommit[];
  /** The public keys of authors that were seen, by fingerprint. */
  readonly keys: ReadonlyMap<string, SeenKey>;
  /** A replaced history that the user accepted; `none` for a deleted one. */
  readonly acceptedRewrite: string | undefined;
}

export interface UsedTopic {
  readonly oid: string;
  readonly text: string;
  readonly author: TeamAuthor;
  readonly at: string;
}

export interface Unapproved {
  readonly authors: readonly TeamAuthor[];
  readonly at: string;
  /** `undefined` for a removal, and for a text that cannot be used. */
  readonly text: string | undefined;
  /** The version that the user rejected. */
  readonly rejected?: string | undefined;
}

export interface PushedCommit {
  readonly commit: string;
  readonly pending: readonly string[];
}

export interface SeenKey {
  readonly publicKey: string;
  readonly name: string;
  readonly email: string;
}

export function newState(remote: string): TeamState {
  return {
    version: 1,
    remote,
    head: undefined,
    topics: new Map(),
    removed: new Map(),
    kept: new Map(),
    refused: [],
    invalid: [],
    used: new Map(),
    unapproved: new Map(),
    pushing: [],
    keys: new Map(),
    acceptedRewrite: undefined,
  };
}

const MAPS = ["topics", "removed", "kept", "used", "unapproved", "keys"] as const;

/** Maps become lists of pairs, because an object has names such as `constructor` already. */
export function renderState(state: TeamState): string {
  const maps = MAPS.map((key) => [key, [...state[key]]]);
  return `${JSON.stringify({ ...state, ...Object.fromEntries(maps) })}\n`;
}

/** `undefined` for a file that this version did not write. */
export function parseState(text: string): TeamState | undefined {
  const value = parseJsonRecord(text);
  if (value?.["version"] !== 1 || typeof value["remote"] !== "string") return undefined;
  const maps = MAPS.map((key) => [key, value[key]] as const);
  if (!maps.every(([, pairs]) => isPairs(pairs))) return undefined;
  const parsed = maps.map(([key, pairs]) => [key, isPairs(pairs) ? new Map(pairs) : new Map()]);
  return { ...newState(value["remote"]), ...value, ...Object.fromEntries(parsed) };
}

function isPairs(value: unknown): value is readonly (readonly [string, unknown])[] {
  if (!Array.isArray(value)) return false;
  const pairs: readonly unknown[] = value;
  return pairs.every(
    (pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string",
  );
}

/** Identifies what the team has under a name: a text, or a removal. */
export function versionOf(state: TeamState, slug: string): string {
  return `${slug}@${state.topics.get(slug) ?? "removed"}`;
}
