import type { CommitRequest } from "@caliban/memory";
import type { Tables } from "./statements.ts";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * One statement that checks the versions and changes everything, so that a commit takes three round trips. It runs after
 * the lock was taken, so its snapshot has what earlier commits did. It returns one row for each conflict, or for each
 * entry that was written. Parts that a request does not need are left out, because planning takes most of the time.
 */
export function commitStatement(
  { entries, history }: Tables,
  { key, request }: { readonly key: readonly string[]; readonly request: CommitRequest },
): Statement {
  const { changes, record, rewritten = [] } = request;
  const values: unknown[] = [...key];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const given = `unnest(${[
    add(changes.map(({ name }) => name)),
    add(changes.map(({ expected }) => expected)),
    add(changes.map(({ text }) => text)),
  ].join("::text[], ")}::text[])`;
  const parts = [
    `wanted AS (SELECT * FROM ${given} AS given (name, expected, text))`,
    `conflicts AS (
  SELECT wanted.name FROM wanted LEFT JOIN ${entries} AS entry
    ON ${STORE} AND entry.name = wanted.name
  WHERE entry.version::text IS DISTINCT FROM wanted.expected
)`,
    "allowed AS (SELECT WHERE NOT EXISTS (SELECT FROM conflicts))",
    `written AS (
  INSERT INTO ${entries} AS entry (tenant, project, scope, name, text, version, modified_at)
  SELECT $1, $2, $3, name, text, gen_random_uuid(), clock_timestamp() FROM wanted, allowed WHERE text IS NOT NULL
  ON CONFLICT (tenant, project, scope, name) DO UPDATE
    SET text = excluded.text, version = excluded.version, modified_at = excluded.modified_at
  RETURNING entry.name, entry.version::text AS version
)`,
  ];
  if (changes.some(({ text }) => text === null)) parts.push(removal(entries));
  if (record !== undefined) {
    const row = [add(record.id), add(record.at), `${add(JSON.stringify(record))}::json`];
    parts.push(`recorded AS (
  INSERT INTO ${history} (tenant, project, scope, id, at, change)
  SELECT $1, $2, $3, ${row.join(", ")} FROM allowed
)`);
  }
  if (rewritten.length > 0) {
    parts.push(`rewritten AS (
  UPDATE ${history} SET change = given.change::json
  FROM unnest(${[
    add(rewritten.map(({ id }) => id)),
    add(rewritten.map(({ at }) => at)),
    add(rewritten.map((change) => JSON.stringify(change))),
  ].join("::text[], ")}::text[]) AS given (id, at, change)
  WHERE ${STORE} AND history.id = given.id AND history.at = given.at AND EXISTS (SELECT FROM allowed)
)`);
  }
  const text = `WITH ${parts.join(", ")}
SELECT name, NULL AS version FROM conflicts UNION ALL SELECT name, version FROM written`;
  return { text, values };
}

const STORE = "tenant = $1 AND project = $2 AND scope = $3";

function removal(entries: string): string {
  return `removed AS (
  DELETE FROM ${entries}
  WHERE ${STORE} AND name IN (SELECT name FROM wanted WHERE text IS NULL) AND EXISTS (SELECT FROM allowed)
)`;
}
