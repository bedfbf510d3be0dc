import { createRequire } from "node:module";
import type * as Pg from "../packages/memory-postgres/node_modules/@types/pg/index.d.ts";
import { createStoreSearch, createTopicStore } from "../packages/memory/src/index.ts";
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
  const [bareMs, writeMs] = await interleaveJobs([() => writeByHand(pool), write], 100);
  return [
    row("PostgreSQL: the statements of a write by hand", bareMs, bareMs),
    row(`PostgreSQL: write a topic (limit ${MAX_WRITE_RATIO})`, writeMs, bareMs),
  ];
}

/** Reads a topic and the index, then replaces both in a transaction, records the change and notifies. */
async function writeByHand(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    const key = ["default", "by-hand", "project"];
    const { rows } = await client.query<{ readonly name: string; readonly text: string }>(
      "SELECT name, version::text AS version, text FROM caliban.entries WHERE tenant = $1 AND project = $2 AND scope = $3 AND name = ANY ($4)",
      [...key, ["deploy", "MEMORY.md"]],
    );
    await client.query("BEGIN; SELECT pg_advisory_xact_lock(42)");
    const text = "First the migrations, then the flag.\n".repeat(20);
    for (const name of ["deploy", "MEMORY.md"]) {
      await client.query(
        `INSERT INTO caliban.entries (tenant, project, scope, name, text, version, modified_at)
         VALUES ($1, $2, $3, $4, $5, gen_random_uuid(), clock_timestamp())
         ON CONFLICT (tenant, project, scope, name) DO UPDATE SET text = excluded.text, version = excluded.version`,
        [...key, name, text],
      );
    }
    const before = rows.find(({ name }) => name === "deploy")?.text ?? null;
    await client.query(
      "INSERT INTO caliban.history (tenant, project, scope, id, at, change) VALUES ($1, $2, $3, $4, $5, $6)",
      [...key, crypto.randomUUID(), new Date().toISOString(), JSON.stringify({ before, text })],
    );
    await client.query("NOTIFY bench; COMMIT");
  } finally {
    client.release();
  }
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
