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
  /** $4, $5 and $8 are id, time and JSON of a record, $6 and $7 names and texts. If it exists: the entries with these texts. */
  readonly findRecord: string;
  /** $4 are versions. Those that are current. */
  readonly findVersions: string;
  /** Table names for `commitStatement`. */
  readonly tables: Tables;
}

export interface Tables {
  readonly entries: string;
  readonly history: string;
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
    findRecord: `
SELECT same.name, same.version
FROM ${history} AS record LEFT JOIN (
  SELECT name, version::text AS version FROM ${entries}
  WHERE tenant = $1 AND project = $2 AND scope = $3
    AND (name, text) IN (SELECT * FROM unnest($6::text[], $7::text[]))
) AS same ON true
WHERE tenant = $1 AND project = $2 AND scope = $3 AND id = $4 AND at = $5 AND change::text = $8`,
    findVersions: `
SELECT name FROM ${entries}
WHERE tenant = $1 AND project = $2 AND scope = $3 AND version::text = ANY ($4::text[])`,
    tables: { entries, history },
  };
}

const MODIFIED_MS = "(extract(epoch FROM modified_at) * 1000)::float8 AS modified_ms";
