/** What one version of the schema adds to the one before. It only ever adds: data of users is never dropped or rewritten. */
export interface Migration {
  readonly version: number;
  readonly statements: (schema: string) => string;
}

/** All versions, oldest first. A published one never changes. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, statements: createTables }];

/** The version that this package reads and writes. */
export const SCHEMA_VERSION: number = MIGRATIONS.at(-1)?.version ?? 0;

export const DEFAULT_SCHEMA = "caliban";

/** A name as SQL, such as `"caliban"`. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Where the versions that were applied are listed. */
export function createMigrationTable(schema: string): string {
  return `
CREATE TABLE IF NOT EXISTS ${quoteIdentifier(schema)}.migrations (
  version integer PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
)`;
}

// The collation "C" orders UTF-8 by code point, whatever the locale of the database.
function createTables(schema: string): string {
  const quoted = quoteIdentifier(schema);
  return `
CREATE TABLE ${quoted}.entries (
  tenant text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  text text NOT NULL,
  version uuid NOT NULL,
  modified_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, project, scope, name)
);
CREATE TABLE ${quoted}.history (
  tenant text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  at text COLLATE "C" NOT NULL,
  change json NOT NULL,
  PRIMARY KEY (tenant, project, scope, position),
  UNIQUE (tenant, project, scope, id, at)
)`;
}
