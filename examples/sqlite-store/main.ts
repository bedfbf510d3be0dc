// A backend in SQLite: memory in one file, with everything that caliban's own files have.
import { DatabaseSync } from "node:sqlite";
import { type Change, createTopicStore, MemoryError, type TopicBackend } from "@caliban/memory";
import { topicBackendCases } from "@caliban/memory/testing";

function createSqliteBackend(path: string): TopicBackend {
  const db = new DatabaseSync(path);
  db.exec(`
    CREATE TABLE IF NOT EXISTS entries (name TEXT PRIMARY KEY, version TEXT, text TEXT, modified INTEGER) STRICT;
    CREATE TABLE IF NOT EXISTS history (position INTEGER PRIMARY KEY, id TEXT, at TEXT, change TEXT) STRICT`);
  const select = db.prepare("SELECT version FROM entries WHERE name = ?");
  const put = db.prepare("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)");
  const remove = db.prepare("DELETE FROM entries WHERE name = ?");
  const record = db.prepare("INSERT INTO history (id, at, change) VALUES (?, ?, ?)");
  const rewrite = db.prepare("UPDATE history SET change = ? WHERE id = ? AND at = ?");
  return {
    list: async ({ after = "", limit }) => {
      const page = "SELECT * FROM entries WHERE name > ? ORDER BY name LIMIT ?";
      const rows = db.prepare(page).all(after, limit + 1);
      return { entries: rows.slice(0, limit).map(toEntry), hasMore: rows.length > limit };
    },
    read: async (names) =>
      db
        .prepare("SELECT * FROM entries WHERE name IN (SELECT value FROM json_each(?))")
        .all(JSON.stringify(names))
        .map(toEntry),
    // Synchronous, in one transaction that keeps other processes out: the versions hold until the end.
    commit: async ({ changes, record: change, rewritten = [] }) => {
      if (changes.some(({ text }) => text?.isWellFormed() === false || text?.includes("\0")))
        throw new MemoryError("INVALID_TOPIC", "SQLite cannot store this text");
      db.exec("BEGIN IMMEDIATE");
      try {
        const names = changes
          .filter(({ name, expected }) => (select.get(name)?.["version"] ?? null) !== expected)
          .map(({ name }) => name);
        if (names.length > 0) return { kind: "conflict", names };
        const versions = new Map<string, string>();
        for (const { name, text } of changes) {
          if (text !== null) versions.set(name, crypto.randomUUID());
          if (text === null) remove.run(name);
          else put.run(name, versions.get(name) ?? "", text, Date.now());
        }
        if (change !== undefined) record.run(change.id, change.at, JSON.stringify(change));
        for (const each of rewritten) rewrite.run(JSON.stringify(each), each.id, each.at);
        db.exec("COMMIT");
        return { kind: "committed", versions };
      } finally {
        if (db.isTransaction) db.exec("ROLLBACK");
      }
    },
    history: async () => ({
      changes: db
        .prepare("SELECT change FROM history ORDER BY position DESC")
        .all()
        .map((row) => JSON.parse(String(row["change"])) as Change),
    }),
  };
}

function toEntry(row: Record<string, unknown>) {
  const text = String(row["text"]);
  const [name, version, modifiedMs] = [row["name"], row["version"], Number(row["modified"])];
  const listed = { head: text.slice(0, 2_000), bytes: Buffer.byteLength(text) };
  return { name: String(name), version: String(version), text, modifiedMs, ...listed };
}

// The contract of backends: a broken promise is an error that names it.
const cases = topicBackendCases(async () => ({ backend: createSqliteBackend(":memory:") }));
for (const { run } of cases) await run();
console.log(`keeps ${cases.length > 20 ? "every" : "no"} promise of a backend`);

const store = createTopicStore({ backend: createSqliteBackend(":memory:") });
const topic = { name: "deploy", description: "run migrations first", type: "project" } as const;
await store.write({ ...topic, body: "Then flip the flag.", author: { who: "agent" } });
console.log((await store.index()).split("\n").at(-2));
await store.undo({ author: { who: "person" } });
console.log(`${(await store.list()).topics.length} topics after undo`);
