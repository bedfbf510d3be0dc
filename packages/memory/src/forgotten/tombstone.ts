import { isRecord, parseJsonRecord } from "@caliban/common";
import type { StatementTerms } from "./statement-terms.ts";

/** Statements that were forgotten together, as hashes: the text itself is not stored. */
export interface Tombstone {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Hashed together with each term. The same in all tombstones of a file, unless two files were joined. */
  readonly salt: string;
  /** The topic that said it, if it was one. */
  readonly slug?: string | undefined;
  /** The session of the agent that forgot it on its own; that agent may write it again there. */
  readonly agentSession?: string | undefined;
  readonly statements: readonly StatementTerms[];
  /** The turns of past sessions that said it. */
  readonly turns: readonly ForgottenTurn[];
}

/** A turn of a session that is not learned from. */
export interface ForgottenTurn {
  readonly session: string;
  readonly byte: number;
  /** A hash of its text, for readers that do not know the offset. */
  readonly hash: string;
}

/** One line of the file. */
export type TombstoneLine =
  | { readonly kind: "tombstone"; readonly tombstone: Tombstone }
  | { readonly kind: "lift"; readonly lift: Lift };

/** Ends a tombstone, or some of its statements. */
export interface Lift {
  readonly id: string;
  /** Positions in the list; all of them if left out. */
  readonly statements?: readonly number[] | undefined;
}

export function renderTombstone(tombstone: Tombstone): string {
  return `${JSON.stringify(tombstone)}\n`;
}

export function renderLift({ id, statements }: Lift): string {
  return `${JSON.stringify({ lift: id, statements })}\n`;
}

/** `undefined` for a damaged line. */
export function parseLine(text: string): TombstoneLine | undefined {
  const value = parseJsonRecord(text);
  if (value === undefined) return undefined;
  const { lift } = value;
  if (typeof lift === "string") return { kind: "lift", lift: parseLift(lift, value["statements"]) };
  const tombstone = parseTombstone(value);
  return tombstone === undefined ? undefined : { kind: "tombstone", tombstone };
}

/** The tombstones in effect, oldest first. */
export function activeTombstones(lines: readonly TombstoneLine[]): readonly Tombstone[] {
  const active = new Map<string, Tombstone>();
  const lifted = new Map<string, Set<number>>();
  for (const line of lines) {
    if (line.kind === "tombstone") active.set(line.tombstone.id, line.tombstone);
    if (line.kind !== "lift") continue;
    const { id, statements } = line.lift;
    if (statements === undefined) active.delete(id);
    else lifted.set(id, new Set([...(lifted.get(id) ?? []), ...statements]));
  }
  return [...active.values()].flatMap((tombstone) => {
    const gone = lifted.get(tombstone.id);
    if (gone === undefined) return [tombstone];
    // Kept in their positions, which later lines refer to.
    const statements = tombstone.statements.map((one, at) => (gone.has(at) ? NOTHING : one));
    return statements.every((one) => one === NOTHING) ? [] : [{ ...tombstone, statements }];
  });
}

/** A statement that was lifted: it matches nothing. */
const NOTHING: StatementTerms = {
  exact: "",
  strong: [],
  weak: [],
  contrast: [],
  numbers: [],
  relations: [],
};

type JsonRecord = Readonly<Record<string, unknown>>;

function parseLift(id: string, value: unknown): Lift {
  if (!Array.isArray(value)) return { id };
  const items: readonly unknown[] = value;
  return { id, statements: items.filter((item) => typeof item === "number") };
}

function parseTombstone(value: JsonRecord): Tombstone | undefined {
  const { id, at, salt, slug, agentSession, statements, turns } = value;
  if (typeof id !== "string" || typeof at !== "string" || typeof salt !== "string")
    return undefined;
  if (!Array.isArray(statements) || !Array.isArray(turns)) return undefined;
  return {
    id,
    at,
    salt,
    ...(typeof slug === "string" ? { slug } : {}),
    ...(typeof agentSession === "string" ? { agentSession } : {}),
    statements: (statements as readonly unknown[]).map(parseStatement),
    turns: (turns as readonly unknown[]).flatMap((turn) => parseTurn(turn) ?? []),
  };
}

function parseStatement(value: unknown): StatementTerms {
  if (!isRecord(value)) return NOTHING;
  const { exact } = value;
  return {
    exact: typeof exact === "string" ? exact : "",
    strong: textsIn(value["strong"]),
    weak: textsIn(value["weak"]),
    contrast: textsIn(value["contrast"]),
    numbers: textsIn(value["numbers"]),
    relations: textsIn(value["relations"]),
  };
}

function parseTurn(value: unknown): ForgottenTurn | undefined {
  if (!isRecord(value)) return undefined;
  const { session, byte, hash } = value;
  return typeof session === "string" && typeof byte === "number" && typeof hash === "string"
    ? { session, byte, hash }
    : undefined;
}

function textsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[]).filter((item) => typeof item === "string");
}
