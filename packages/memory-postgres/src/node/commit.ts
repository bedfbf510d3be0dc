import { type CommitRequest, type CommitResult, MemoryError } from "@caliban/memory";
import {
  isLost,
  isPostgresFailure,
  isSerializationFailure,
  type PostgresFailure,
} from "../postgres-failure.ts";
import { commitStatement } from "../commit-statement.ts";
import type { Statements } from "../statements.ts";
import { assertStorable } from "../storable-text.ts";
import type { Connection, Query, Row } from "./connection.ts";

export interface CommitInput {
  readonly connection: Connection;
  /** Runs once before the first statement. */
  readonly prepare: (query: Query) => Promise<void>;
  readonly statements: Statements;
  /** Tenant, project and scope. */
  readonly key: readonly string[];
  readonly lock: bigint;
  /** Announced to watchers; `undefined` for servers without NOTIFY. */
  readonly channel: string | undefined;
}

type Versions = ReadonlyMap<string, string>;

/**
 * Commits in one transaction. If the connection is lost, it tries again until the time limit: the record tells whether
 * an earlier attempt took effect.
 */
export async function commit(input: CommitInput, request: CommitRequest): Promise<CommitResult> {
  assertStorable(request);
  const { connectTimeoutMs, statementTimeoutMs } = input.connection;
  const endMs = performance.now() + connectTimeoutMs + statementTimeoutMs;
  // The versions of an attempt whose end is not known.
  let unknown: Versions | undefined;
  for (let count = 0; ; count += 1) {
    try {
      return await attemptCommit(input, {
        request,
        isRepeated: count > 0,
        unknown,
        onCommit: (versions) => {
          unknown = versions;
        },
      });
    } catch (error) {
      if (!isPostgresFailure(error)) throw error;
      const isLate = performance.now() > endMs;
      if (isLate || !mayTryAgain(error, { count, isUnknown: unknown !== undefined })) {
        throw unknown === undefined ? error : endNotKnown(error);
      }
      await delay(count);
    }
  }
}

function mayTryAgain(
  failure: PostgresFailure,
  { count, isUnknown }: { readonly count: number; readonly isUnknown: boolean },
): boolean {
  if (isUnknown) return true;
  // Nothing was lost yet, so the caller need not wait for a server that is down.
  if (failure.phase === "connect") return count > 0;
  // The record exists, so an earlier call of the caller took effect. The next attempt looks for it.
  if (failure.code === UNIQUE_VIOLATION) return count === 0;
  return isSerializationFailure(failure) || isLost(failure);
}

const UNIQUE_VIOLATION = "23505";

async function delay(count: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, Math.min(500, 20 * 2 ** count));
  });
}

function endNotKnown(cause?: PostgresFailure): MemoryError {
  const message =
    "lost the connection to PostgreSQL while a change was saved. It may have been saved: read it before you repeat it.";
  return new MemoryError("STORE_UNAVAILABLE", message, { cause });
}

interface Attempt {
  readonly request: CommitRequest;
  readonly isRepeated: boolean;
  readonly unknown: Versions | undefined;
  /** Called right before the transaction may take effect. */
  readonly onCommit: (versions: Versions) => void;
}

async function attemptCommit(input: CommitInput, attempt: Attempt): Promise<CommitResult> {
  const { connection, prepare, statements, key, channel } = input;
  const { request, isRepeated, unknown, onCommit } = attempt;
  return await connection.run(async (query) => {
    await prepare(query);
    await query(begin(input));
    // A lost attempt holds the lock until it has ended, so now its end is known.
    const earlier = isRepeated ? await findEarlier(query, input, attempt) : undefined;
    if (earlier !== undefined) return await rollBack(query, earlier);

    const { text, values } = commitStatement(statements.tables, { key, request });
    const result = toResult(await query(text, values));
    if (result.kind === "committed") {
      onCommit(result.versions);
      await query(channel === undefined ? "COMMIT" : `NOTIFY ${channel}; COMMIT`);
      return result;
    }
    // The caller may have repeated a commit that took effect.
    const repeated = isRepeated ? undefined : await findEarlier(query, input, attempt);
    await query("ROLLBACK");
    if (unknown !== undefined && request.record === undefined) throw endNotKnown();
    return repeated ?? result;
  });
}

async function rollBack(query: Query, result: CommitResult): Promise<CommitResult> {
  await query("ROLLBACK");
  return result;
}

/** Takes the lock of the store in the same round trip. The server ends a transaction whose client has vanished. */
function begin({ connection, lock }: CommitInput): string {
  const { statementTimeoutMs } = connection;
  return [
    "BEGIN ISOLATION LEVEL READ COMMITTED",
    `SET LOCAL statement_timeout = ${statementTimeoutMs}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
    `SELECT pg_advisory_xact_lock(${lock})`,
  ].join("; ");
}

/** The result of an earlier attempt that took effect: its record exists, or without one, one of its versions. */
async function findEarlier(
  query: Query,
  { statements, key }: CommitInput,
  { request: { changes, record }, unknown }: Attempt,
): Promise<CommitResult | undefined> {
  if (record === undefined) {
    if (unknown === undefined) return undefined;
    const rows = await query(statements.findVersions, [...key, [...unknown.values()]]);
    return rows.length > 0 ? { kind: "committed", versions: unknown } : undefined;
  }
  const names = changes.map(({ name }) => name);
  const texts = changes.map(({ text }) => text);
  const { id, at } = record;
  // The whole record, because ids are short: it must not be taken for the one of another writer.
  const values = [id, at, names, texts, JSON.stringify(record)];
  const rows = await query(statements.findRecord, [...key, ...values]);
  if (rows.length === 0) return undefined;
  const same = rows.filter(({ name }) => name !== null);
  // The versions of a lost attempt are exact even if another writer has replaced its texts since.
  return { kind: "committed", versions: unknown ?? versionsOf(same) };
}

/** A row without a version is a conflict. */
function toResult(rows: readonly Row[]): CommitResult {
  const conflicts = rows.filter(({ version }) => version === null);
  return conflicts.length > 0
    ? { kind: "conflict", names: conflicts.map(({ name }) => String(name)) }
    : { kind: "committed", versions: versionsOf(rows) };
}

function versionsOf(rows: readonly Row[]): Versions {
  return new Map(rows.map(({ name, version }) => [String(name), String(version)]));
}
