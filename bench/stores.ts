import { createRequire } from "node:module";
import type * as Pg from "../packages/memory-postgres/node_modules/@types/pg/index.d.ts";
import { type Change, createStoreSearch, createTopicStore } from "../packages/memory/src/index.ts";
import { commitStatement } from "../packages/memory-postgres/src/commit-statement.ts";
import { createStatements } from "../packages/memory-postgres/src/statements.ts";
import { createPostgresBackend, migrate } from "../packages/memory-postgres/src/node/index.ts";
import { startPostgres } from "../test/support/postgres-server.ts";
import { interleaveJobs } from "./interleave.ts";
import { type Measurement, timing as row } from "./measurement.ts";

// Only the package that needs the driver has it.
const require = createRequire(new URL("../packages/memory-postgres/package.json", import.meta.url));
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- require is untyped
const { Pool } = require("pg") as typeof Pg;
type Pool = Pg.Pool;

const TOPICS = 10_000;
const MAX_WRITE_RATIO = 1.5;
const MAX_LIST_RATIO = 2;
const MAX_ROUND_TRIPS = 20;

/** Compares a store in PostgreSQL with the same statements by hand. Requires the test tools (`npm test` installs them). */
export async function benchStores(): Promise<readonly (Measurement | string)[]> {
  const server = await startPostgres({ isDurable: true });
  const pool = new Pool({ connectionString: server.url, max: 4 });
  try {
    await migrate({ pool });
    return [...(await benchWrites(pool)), ...(await benchLists(pool))];
  } finally {
    await pool.end();
    await server.stop();
  }
}

async function benchWrites(pool: Pool): Promise<readonly Measurement[]> {
  const store = createTopicStore({
    backend: createPostgresBackend({ pool, project: "write", scope: "project" }),
  });
  let count = 0;
  const write = async (): Promise<unknown> => {
    count++;
    return await store.write({
      name: "deploy",
      description: `line ${count}`,
      type: "project",
      body: "First the migrations, then the flag.\n".repeat(20),
      replace: true,
      author: { who: "agent" },
    });
  };
  await write();
  const [bareMs, writeMs] = await interleaveJobs([await createBareWriter(pool), write], 200);
  return [
    row("PostgreSQL: the statements of a write by hand", bareMs, bareMs),
    row(`PostgreSQL: write a topic (limit ${MAX_WRITE_RATIO})`, writeMs, bareMs),
  ];
}

/** The statements that the store sends for one write, prepared by hand, without anything around them. */
async function createBareWriter(pool: Pool): Promise<() => Promise<void>> {
  const key = ["default", "by-hand", "project"];
  const { read, tables } = createStatements("caliban");
  const text = "First the migrations, then the flag.\n".repeat(20);
  const names = ["deploy", "MEMORY.md"];
  let versions: ReadonlyMap<string, string> = new Map();
  return async () => {
    const client = await pool.connect();
    try {
      await client.query(read, [...key, names]);
      await client.query(
        "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 10000; SET LOCAL idle_in_transaction_session_timeout = 10000; SELECT pg_advisory_xact_lock(42)",
      );
      const changes = names.map((name) => ({ name, expected: versions.get(name) ?? null, text }));
      const at = new Date().toISOString();
      const files = [{ slug: "deploy", before: text, after: text }];
      const record = { id: crypto.randomUUID(), at, who: "agent", action: "write", files };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a record of the same size
      const request = { changes, record: record as unknown as Change };
      const statement = commitStatement(tables, { key, request });
      const { rows } = await client.query<{ readonly name: string; readonly version: string }>(
        statement.text,
        [...statement.values],
      );
      versions = new Map(rows.map(({ name, version }) => [name, version]));
      await client.query("NOTIFY bench; COMMIT");
    } finally {
      client.release();
    }
  };
}

async function benchLists(pool: Pool): Promise<readonly (Measurement | string)[]> {
  await pool.query(
    `INSERT INTO caliban.entries (tenant, project, scope, name, text, version, modified_at)
     SELECT 'default', 'list', 'project', 'topic-' || n,
       E'---\\nname: topic-' || n || E'\\ndescription: "about ' || n || E'"\\nmetadata:\\n  node_type: memory\\n  type: project\\n  updated: 2026-11-16T00:00:00.000Z\\n---\\n\\n' || repeat('Body of the topic. ', 20) || n,
       gen_random_uuid(), clock_timestamp()
     FROM generate_series(1, $1::int) AS n`,
    [TOPICS],
  );
  let roundTrips = 0;
  const counting = {
    connect: async () => {
      const client = await pool.connect();
      const query = client.query.bind(client);
      return new Proxy(client, {
        get: (target, property) => {
          if (property === "query") {
            return async (text: string, values?: unknown[]): Promise<unknown> => {
              roundTrips++;
              return await query(text, values);
            };
          }
          const value: unknown = Reflect.get(target, property);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
  };
  const open = (): ReturnType<typeof createTopicStore> =>
    createTopicStore({
      backend: createPostgresBackend({ pool: counting, project: "list", scope: "project" }),
    });
  const bare = async (): Promise<unknown> =>
    await pool.query(
      "SELECT name, version::text, left(text, 2000), octet_length(text), modified_at FROM caliban.entries WHERE project = 'list' ORDER BY name",
    );
  // A new store each time, because a known one parses only what has changed.
  const [bareMs, listMs] = await interleaveJobs([bare, async () => await open().list()], 15);
  roundTrips = 0;
  await createStoreSearch(open()).search({ query: "body" });
  return [
    row(`PostgreSQL: a query for ${TOPICS} topics`, bareMs, bareMs),
    row(`PostgreSQL: list ${TOPICS} topics (limit ${MAX_LIST_RATIO})`, listMs, bareMs),
    `  round trips of the first search over ${TOPICS} topics: ${roundTrips} (limit ${MAX_ROUND_TRIPS})`,
  ];
}
