import { MemoryError } from "@caliban/memory";
import { isMissingTable, isPostgresFailure } from "../postgres-failure.ts";
import { SCHEMA_VERSION } from "../schema.ts";
import type { Query } from "./connection.ts";

/**
 * Checks that the database has the schema that this package reads and writes.
 * @throws MemoryError `STORE_INCOMPATIBLE`
 */
export async function checkSchema(
  query: Query,
  input: {
    readonly schema: string;
    readonly statement: string;
  },
): Promise<void> {
  const found = await readVersion(query, input.statement);
  if (found === SCHEMA_VERSION) return;
  const schema = JSON.stringify(input.schema);
  if (found === 0) {
    throw incompatible(
      `the database has no memory tables in schema ${schema}. Run migrate() once.`,
    );
  }
  throw found < SCHEMA_VERSION
    ? incompatible(
        `schema ${schema} has version ${found}, older than ${SCHEMA_VERSION}. Run migrate().`,
      )
    : newerSchema(input.schema, found);
}

export function newerSchema(schema: string, found: number): MemoryError {
  return incompatible(
    `schema ${JSON.stringify(schema)} has version ${found}, newer than ${SCHEMA_VERSION}. Update @caliban/memory-postgres.`,
  );
}

export function incompatible(message: string): MemoryError {
  return new MemoryError("STORE_INCOMPATIBLE", message);
}

/** 0 without tables. */
async function readVersion(query: Query, statement: string): Promise<number> {
  try {
    const [row] = await query(statement);
    return Number(row?.["version"] ?? 0);
  } catch (error) {
    if (isPostgresFailure(error) && isMissingTable(error)) return 0;
    throw error;
  }
}
