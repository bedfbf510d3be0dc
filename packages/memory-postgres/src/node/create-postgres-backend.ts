import type { BackendEntry, Change, HistoryPage, ListedEntry, TopicBackend } from "@caliban/memory";
import { isPostgresFailure, toMemoryError } from "../postgres-failure.ts";
import { DEFAULT_SCHEMA } from "../schema.ts";
import { createStatements } from "../statements.ts";
import { isStorable } from "../storable-text.ts";
import { channelOf, lockNumber, type StoreKey } from "../store-key.ts";
import { checkName } from "./check-name.ts";
import { checkSchema } from "./check-schema.ts";
import { commit } from "./commit.ts";
import { createConnection, type Query, type Row } from "./connection.ts";
import { invalidArgument, type ConnectionInput } from "./pool.ts";
import { createWatching } from "./watch.ts";

export interface PostgresBackendInput extends ConnectionInput {
  /** Whose memory it is, where several users or customers share a database; `default` if left out. */
  readonly tenant?: string | undefined;
  /** Which project: the same text on every machine, never a path. */
  readonly project: string;
  /** Which memory of the project, such as `project` or `user`. */
  readonly scope: string;
  /** Where the tables are; `caliban` if left out. */
  readonly schema?: string | undefined;
  /** Whether commits are announced with NOTIFY, which `watch` needs; `false` for servers without it. */
  readonly notifications?: boolean | undefined;
}

export interface PostgresBackend extends TopicBackend {
  /** Every entry that exists can be read. */
  readonly read: (names: readonly string[]) => Promise<readonly BackendEntry[]>;
  /** Stops watchers, and closes the connections unless they are the caller's. */
  readonly close: () => Promise<void>;
}

/** Keeps the entries of a topic store in PostgreSQL. Nothing connects before the first call. */
export function createPostgresBackend(input: PostgresBackendInput): PostgresBackend {
  const { schema, ...key } = checkNames(input);
  const connection = createConnection("createPostgresBackend", input);
  const statements = createStatements(schema);
  const channel = (input.notifications ?? true) ? channelOf(schema, key) : undefined;
  const values = [key.tenant, key.project, key.scope];
  const prepare = checkOnce((query) =>
    checkSchema(query, { schema, statement: statements.version }),
  );

  const read = async (statement: string, more: readonly unknown[]): Promise<readonly Row[]> =>
    await withMemoryErrors(async () =>
      connection.runReader(async (query) => {
        await prepare(query);
        return await query(statement, [...values, ...more]);
      }),
    );
  const lock = lockNumber(schema, key);
  const commitInput = { connection, prepare, statements, key: values, lock, channel };
  const watching = channel === undefined ? undefined : createWatching(connection, channel);

  return {
    list: async ({ after, limit }) => {
      if (after !== undefined && !isStorable(after)) throw invalidArgument("list: invalid name");
      const rows = await read(statements.list, [after ?? null, limit + 1]);
      return { entries: rows.slice(0, limit).map(toListedEntry), hasMore: rows.length > limit };
    },
    // No entry has a name that cannot be stored, and the driver would look for a similar one.
    read: async (names) => (await read(statements.read, [names.filter(isStorable)])).map(toEntry),
    commit: async (request) => await withMemoryErrors(() => commit(commitInput, request)),
    history: async ({ cursor, limit }) => {
      if (cursor !== undefined && !/^\d{1,18}$/.test(cursor))
        throw invalidArgument(`history: invalid cursor ${JSON.stringify(cursor)}`);
      return toHistoryPage(await read(statements.history, [cursor ?? null, limit + 1]), limit);
    },
    ...(watching === undefined ? {} : { watch: watching.watch }),
    close: async () => {
      watching?.stop();
      await connection.close();
    },
  };
}

function checkNames(input: PostgresBackendInput): StoreKey & { readonly schema: string } {
  const { tenant = "default", project, scope, schema = DEFAULT_SCHEMA } = input ?? {};
  const given = Object.entries({ tenant, project, scope, schema });
  for (const [name, value] of given) checkName("createPostgresBackend", { name, value });
  return { tenant, project, scope, schema };
}

/** Checks until it succeeds once. */
function checkOnce(check: (query: Query) => Promise<void>): (query: Query) => Promise<void> {
  let isChecked = false;
  return async (query) => {
    if (isChecked) return;
    await check(query);
    isChecked = true;
  };
}

async function withMemoryErrors<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw isPostgresFailure(error) ? toMemoryError(error) : error;
  }
}

function toListedEntry(row: Row): ListedEntry {
  return {
    name: String(row["name"]),
    version: String(row["version"]),
    head: String(row["head"]),
    bytes: Number(row["bytes"]),
    modifiedMs: Number(row["modified_ms"]),
  };
}

function toEntry(row: Row): BackendEntry {
  return {
    name: String(row["name"]),
    version: String(row["version"]),
    text: String(row["text"]),
    modifiedMs: Number(row["modified_ms"]),
  };
}

function toHistoryPage(rows: readonly Row[], limit: number): HistoryPage {
  const page = rows.slice(0, limit);
  const changes = page.flatMap(({ change }) => parseChange(String(change)) ?? []);
  const last = page.at(-1);
  return rows.length > page.length && last !== undefined
    ? { changes, next: String(last["cursor"]) }
    : { changes };
}

/** `undefined` for a row that another program has written. */
function parseChange(json: string): Change | undefined {
  const value: unknown = JSON.parse(json);
  return isChange(value) ? value : undefined;
}

function isChange(value: unknown): value is Change {
  if (typeof value !== "object" || value === null) return false;
  const { id, at, who, action, files }: Partial<Record<keyof Change, unknown>> = value;
  const isText = [id, at, who, action].every((field) => typeof field === "string");
  return isText && Array.isArray(files);
}
