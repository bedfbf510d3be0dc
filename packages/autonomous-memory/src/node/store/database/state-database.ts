import type { SQLInputValue, StatementSync } from "node:sqlite";
import { PipelineError } from "../../../run/errors.ts";
import { moveToBackup } from "./database-file.ts";
import type { OpenedDatabase } from "./open-database.ts";
import type { Row } from "./row.ts";
import { explainFailure, isDamage } from "./explain-failure.ts";

/** The named values of a statement. */
export type Values = Readonly<Record<string, SQLInputValue>>;

/** Statements inside a transaction. Their text is constant; external data is passed as values. */
export interface Transaction {
  readonly get: (sql: string, values?: Values) => Row | undefined;
  readonly all: (sql: string, values?: Values) => readonly Row[];
  /** Like `all`, with the columns named `0`, `1` and so on: takes half the time for many rows. */
  readonly tuples: (sql: string, values?: Values) => readonly Row[];
  /** Returns how many rows it changed. */
  readonly run: (sql: string, values?: Values) => number;
  /** Inserts a row and returns its id. */
  readonly insert: (sql: string, values?: Values) => number;
}

/** The state database. @throws PipelineError `STATE_UNUSABLE` when the file cannot be used */
export interface StateDatabase {
  /** Sees one consistent state, and never waits. */
  readonly read: <T>(action: (transaction: Transaction) => T) => T;
  /** Excludes other writers from the start, so that what it reads stays true until it writes. */
  readonly write: <T>(action: (transaction: Transaction) => T) => T;
  readonly close: () => void;
}

export function createStateDatabase(opened: OpenedDatabase): StateDatabase {
  const { database } = opened;
  const transaction = createTransaction(opened);
  const within = <T>(begin: string, action: (transaction: Transaction) => T): T => {
    try {
      database.exec(begin);
      const result = action(transaction);
      database.exec("COMMIT");
      return result;
    } catch (error) {
      if (database.isOpen && database.isTransaction) database.exec("ROLLBACK");
      throw isDamage(error) ? damaged(opened, error) : explainFailure(error, opened.path);
    }
  };
  return {
    read: (action) => within("BEGIN", action),
    write: (action) => within("BEGIN IMMEDIATE", action),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

function createTransaction({ database }: OpenedDatabase): Transaction {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  return {
    get: (sql, values = {}) => prepare(sql).get(values),
    all: (sql, values = {}) => prepare(sql).all(values),
    tuples: (sql, values = {}) => {
      const statement = prepare(sql);
      statement.setReturnArrays(true);
      return statement.all(values);
    },
    run: (sql, values = {}) => Number(prepare(sql).run(values).changes),
    insert: (sql, values = {}) => Number(prepare(sql).run(values).lastInsertRowid),
  };
}

/** Damage that only shows when a part of the file is read: the next run starts over. */
function damaged({ database, path, identity }: OpenedDatabase, cause: unknown): PipelineError {
  if (database.isOpen) database.close();
  const backup = moveToBackup(path, identity);
  const where = backup === undefined ? "has been moved to a backup" : `was moved to ${backup}`;
  return new PipelineError(
    "STATE_UNUSABLE",
    `${path} was damaged and ${where}; the next run starts over and reads past sessions again, including those you cleared`,
    { cause },
  );
}
