import { quoteIdentifier } from "./schema.ts";

/** The statements of a store. Parameters $1 to $3 are tenant, project and scope. */
export interface Statements {
  readonly version: string;
  /** $4 is a name or null, $5 a number of rows. */
  readonly list: string;
  /** $4 are names. */
  readonly read: string;
  /** $4 is a position or null, $5 a number of rows. */
  readonly history: string;
  /**
   * $4 to $6 are names, expected versions and texts; $7 to $9 id, time and JSON of the record; $10 to $12 those of
   * rewritten records. One row for each conflict or written entry.
   */
  readonly commit: string;
  /** $4 are versions: those that are still current. */
  readonly findVersions: string;
}

export function createStatements(schema: string): Statements {
  const entries = `${quoteIdentifier(schema)}.entries`;
  const history = `${quoteIdentifier(schema)}.history`;
  return {
    version: `SELECT max(version) AS version FROM ${quoteIdentifier(schema)}.migrations`,
    list: `
SELECT name, version::text AS version, left(text, 2000) AS head, octet_length(text) AS bytes, ${MODIFIED_MS}
FROM ${entries}
WHERE tenant = $1 AND project = $2 AND scope = $3 AND ($4::text IS NULL OR name > $4)
ORDER BY name LIMIT $5`,
    read: `
SELECT name, version::text AS version, text, ${MODIFIED_MS}
FROM ${entries}
WHERE tenant = $1 AND project = $2 AND scope = $3 AND name = ANY ($4::text[])`,
    history: `
SELECT position::text AS cursor, change::text AS change
FROM ${history}
WHERE tenant = $1 AND project = $2 AND scope = $3 AND ($4::bigint IS NULL OR position < $4)
ORDER BY position DESC LIMIT $5`,
    commit: commitStatement(entries, history),
    findVersions: `
SELECT name FROM ${entries}
WHERE tenant = $1 AND project = $2 AND scope = $3 AND version::text = ANY ($4::text[])`,
  };
}

const MODIFIED_MS = "(extract(epoch FROM modified_at) * 1000)::float8 AS modified_ms";

/**
 * One statement that checks and changes, so that a commit takes three round trips. It runs after the lock was taken, so
 * its snapshot has everything that earlier commits did. If a record with this id and time exists, an earlier attempt has
 * taken effect, and nothing happens again.
 */
function commitStatement(entries: string, history: string): string {
  return `
WITH wanted AS (
  SELECT name, expected, text FROM unnest($4::text[], $5::text[], $6::text[]) AS given (name, expected, text)
), current AS (
  SELECT name, version, text FROM ${entries}
  WHERE tenant = $1 AND project = $2 AND scope = $3 AND name = ANY ($4::text[])
), repeated AS (
  SELECT FROM ${history}
  WHERE tenant = $1 AND project = $2 AND scope = $3 AND id = $7::text AND at = $8::text
), conflicts AS (
  SELECT wanted.name FROM wanted LEFT JOIN current USING (name)
  WHERE current.version::text IS DISTINCT FROM wanted.expected AND NOT EXISTS (SELECT FROM repeated)
), allowed AS (
  SELECT WHERE NOT EXISTS (SELECT FROM conflicts) AND NOT EXISTS (SELECT FROM repeated)
), removed AS (
  DELETE FROM ${entries}
  WHERE tenant = $1 AND project = $2 AND scope = $3
    AND name IN (SELECT name FROM wanted WHERE text IS NULL) AND EXISTS (SELECT FROM allowed)
), written AS (
  INSERT INTO ${entries} AS entry (tenant, project, scope, name, text, version, modified_at)
  SELECT $1, $2, $3, name, text, gen_random_uuid(), clock_timestamp() FROM wanted, allowed WHERE text IS NOT NULL
  ON CONFLICT (tenant, project, scope, name) DO UPDATE
    SET text = excluded.text, version = excluded.version, modified_at = excluded.modified_at
  RETURNING entry.name, entry.version
), recorded AS (
  INSERT INTO ${history} (tenant, project, scope, id, at, change)
  SELECT $1, $2, $3, $7::text, $8::text, $9::json FROM allowed WHERE $7::text IS NOT NULL
), rewritten AS (
  UPDATE ${history} AS record SET change = given.change::json
  FROM unnest($10::text[], $11::text[], $12::text[]) AS given (id, at, change)
  WHERE tenant = $1 AND project = $2 AND scope = $3 AND record.id = given.id AND record.at = given.at
    AND EXISTS (SELECT FROM allowed)
)
SELECT 'conflict' AS kind, name, NULL AS version FROM conflicts
UNION ALL
SELECT 'written', name, version::text FROM written
UNION ALL
SELECT 'repeated', same.name, same.version::text
FROM repeated LEFT JOIN (current JOIN wanted USING (name, text)) AS same ON true`;
}
