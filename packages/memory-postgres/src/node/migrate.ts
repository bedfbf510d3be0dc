import { isPostgresFailure, toMemoryError } from "../postgres-failure.ts";
import {
  createMigrationTable,
  DEFAULT_SCHEMA,
  MIGRATIONS,
  type Migration,
  quoteIdentifier,
} from "../schema.ts";
import { migrationLockNumber } from "../store-key.ts";
import { incompatible, newerSchema } from "./check-schema.ts";
import { createConnection, type Query } from "./connection.ts";
import type { ConnectionInput } from "./pool.ts";
import { checkName } from "./check-name.ts";

export interface MigrateInput extends ConnectionInput {
  /** Where the tables are; `caliban` if left out. */
  readonly schema?: string | undefined;
}

/**
 * Creates the tables, or brings those of an older version up to date. It can run any number of times and by several
 * processes at once, and never removes data.
 * @throws MemoryError `STORE_INCOMPATIBLE` if the tables are newer than this package
 */
export async function migrate(input: MigrateInput): Promise<void> {
  const schema = checkName("migrate", { name: "schema", value: input?.schema ?? DEFAULT_SCHEMA });
  const connection = createConnection("migrate", input);
  try {
    await connection.run(async (query) => {
      await applyMigrations(query, { schema, migrations: MIGRATIONS });
    });
  } catch (error) {
    throw isPostgresFailure(error) ? toMemoryError(error) : error;
  } finally {
    await connection.close();
  }
}

/** Applies the missing ones of these migrations in one transaction. */
export async function applyMigrations(
  query: Query,
  { schema, migrations }: { readonly schema: string; readonly migrations: readonly Migration[] },
): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  await query(
    `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(${migrationLockNumber(schema)})`,
  );
  await checkServer(query);
  await createSchema(query, schema);
  await query(createMigrationTable(schema));
  const table = `${quoteIdentifier(schema)}.migrations`;
  const [row] = await query(`SELECT max(version) AS version FROM ${table}`);
  const found = Number(row?.["version"] ?? 0);
  if (found > newest) throw newerSchema(schema, found);
  for (const { version, statements } of migrations) {
    if (version <= found) continue;
    await query(`${statements(schema)}; INSERT INTO ${table} (version) VALUES (${version})`);
  }
  await query("COMMIT");
}

async function checkServer(query: Query): Promise<void> {
  const [row] = await query("SELECT version() AS server, getdatabaseencoding() AS encoding");
  const [server, encoding] = [String(row?.["server"]), String(row?.["encoding"])];
  // Two writers with the same version could both be committed.
  if (server.includes("CockroachDB")) {
    throw incompatible("CockroachDB ignores the locks that keep writers apart. Use PostgreSQL.");
  }
  // Another encoding would not keep every text, and would order names in another way.
  if (encoding === "UTF8") return;
  throw incompatible(`the database has the encoding ${encoding}. Use one with the encoding UTF8.`);
}

/** Only if it is missing, because that needs a privilege on the whole database. */
async function createSchema(query: Query, schema: string): Promise<void> {
  const [row] = await query("SELECT FROM pg_namespace WHERE nspname = $1", [schema]);
  if (row === undefined) await query(`CREATE SCHEMA ${quoteIdentifier(schema)}`);
}
