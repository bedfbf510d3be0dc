import { type CommitRequest, type CommitResult, MemoryError } from "@caliban/memory";
import { isLost, isSerializationFailure, PostgresFailure } from "../postgres-failure.ts";
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
 * the first attempt took effect.
 */
export async function commit(input: CommitInput, request: CommitRequest): Promise<CommitResult> {
  assertStorable(request);
  const { connectTimeoutMs, statementTimeoutMs } = input.connection;
  const endMs = performance.now() + connectTimeoutMs + statementTimeoutMs;
  // The versions of an attempt whose end is not known.
  let unknown: Versions | undefined;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptCommit(input, {
        request,
        unknown,
        onCommit: (versions) => {
          unknown = versions;
        },
      });
    } catch (error) {
      if (!(error instanceof PostgresFailure)) throw error;
      const isLate = performance.now() > endMs;
      if (isLate || !mayTryAgain(error, { attempt, isUnknown: unknown !== undefined })) {
        throw unknown === undefined ? error : endNotKnown(error);
      }
      await delay(attempt);
    }
  }
}

function mayTryAgain(
  failure: PostgresFailure,
  { attempt, isUnknown }: { readonly attempt: number; readonly isUnknown: boolean },
): boolean {
  if (isUnknown) return failure.code !== "28P01";
  // Nothing was lost yet, so the caller need not wait for a server that is down.
  if (failure.phase === "connect" && attempt === 0) return false;
  return isSerializationFailure(failure) || isLost(failure) || failure.phase === "connect";
}

async function delay(attempt: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, Math.min(500, 20 * 2 ** attempt));
  });
}

function endNotKnown(cause?: PostgresFailure): MemoryError {
  const message =
    "lost the connection to PostgreSQL while a change was saved. It may have been saved: read it before you repeat it.";
  return new MemoryError("STORE_UNAVAILABLE", message, { cause });
}

interface Attempt {
  readonly request: CommitRequest;
  readonly unknown: Versions | undefined;
  /** Called right before the transaction may take effect. */
  readonly onCommit: (versions: Versions) => void;
}

async function attemptCommit(input: CommitInput, attempt: Attempt): Promise<CommitResult> {
  const { connection, prepare, statements, key } = input;
  return await connection.run(async (query) => {
    await prepare(query);
    await query(begin(input));
    // An attempt that was lost holds the lock until it has ended, so now its end is known.
    if (await tookEffect(query, input, attempt)) {
      await query("ROLLBACK");
      return { kind: "committed", versions: attempt.unknown ?? new Map() };
    }
    const rows = await query(statements.commit, [...key, ...parameters(attempt.request)]);
    const result = toResult(rows, attempt.unknown);
    if (!rows.some(({ kind }) => kind !== "written") && result.kind === "committed") {
      attempt.onCommit(result.versions);
      await query(input.channel === undefined ? "COMMIT" : `NOTIFY ${input.channel}; COMMIT`);
      return result;
    }
    await query("ROLLBACK");
    if (
      result.kind === "conflict" &&
      attempt.unknown !== undefined &&
      attempt.request.record === undefined
    ) {
      throw endNotKnown();
    }
    return result;
  });
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

/** Whether an attempt without a record took effect: one of its versions exists. With a record, the commit statement sees it. */
async function tookEffect(
  query: Query,
  { statements, key }: CommitInput,
  { request, unknown }: Attempt,
): Promise<boolean> {
  if (unknown === undefined || request.record !== undefined) return false;
  return (await query(statements.findVersions, [...key, [...unknown.values()]])).length > 0;
}

function parameters({ changes, record, rewritten = [] }: CommitRequest): readonly unknown[] {
  return [
    changes.map(({ name }) => name),
    changes.map(({ expected }) => expected),
    changes.map(({ text }) => text),
    record?.id ?? null,
    record?.at ?? null,
    record === undefined ? null : JSON.stringify(record),
    rewritten.map(({ id }) => id),
    rewritten.map(({ at }) => at),
    rewritten.map((change) => JSON.stringify(change)),
  ];
}

/** `unknown` has the versions of a lost attempt, which are exact even if another writer was faster since. */
function toResult(rows: readonly Row[], unknown: Versions | undefined): CommitResult {
  const conflicts = rows.filter(({ kind }) => kind === "conflict");
  if (conflicts.length > 0) {
    return { kind: "conflict", names: conflicts.map(({ name }) => String(name)) };
  }
  const isRepeated = rows.some(({ kind }) => kind === "repeated");
  if (isRepeated && unknown !== undefined) return { kind: "committed", versions: unknown };
  const written = rows.filter(({ name }) => name !== null);
  const versions = new Map(
    written.map(({ name, version }) => [String(name), String(version)] as const),
  );
  return { kind: "committed", versions };
}
