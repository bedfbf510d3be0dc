import type { SQLInputValue, StatementSync } from "node:sqlite";
import { PipelineError } from "../../errors.ts";
import { moveAside } from "./database-file.ts";
import type { OpenedDatabase } from "./open-database.ts";
import type { Row } from "./row.ts";
import { explained, isDamage } from "./sqlite-failure.ts";

/** What a statement is given, by name. */
export type Values = Readonly<Record<string, SQLInputValue>>;

/** Statements inside a transaction. Their text is always ours; what comes from outside is a value. */
export interface Transaction {
  readonly get: (sql: string, values?: Values) => Row | undefined;
  readonly all: (sql: string, values?: Values) => readonly Row[];
  /** The same with `0`, `1` and so on for the columns: for many rows, in half the time. */
  readonly tuples: (sql: string, values?: Values) => readonly Row[];
  /** How many rows it changed. */
  readonly run: (sql: string, values?: Values) => number;
  /** The same for a new row, whose number it gives. */
  readonly insert: (sql: string, values?: Values) => number;
}

/** The state in transactions. @throws PipelineError `STATE_UNUSABLE` when the machine refuses */
export interface StateDatabase {
  /** Everything in it sees one state; it waits for nobody. */
  readonly read: <T>(action: (transaction: Transaction) => T) => T;
  /** Alone among the writers from its beginning, so that what was read stays true until it is written. */
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
      throw isDamage(error) ? damaged(opened, error) : explained(error, opened.path);
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

/** Damage that shows only when a part of the file is read: the next start begins anew. */
function damaged({ database, path, identity }: OpenedDatabase, cause: unknown): PipelineError {
  if (database.isOpen) database.close();
  const aside = moveAside(path, identity);
  const where = aside === undefined ? "was put aside" : `was moved to ${aside}`;
  return new PipelineError(
    "STATE_UNUSABLE",
    `${path} was damaged and ${where}; the next run begins anew: past sessions are read again, also those whose memory was cleared`,
    { cause },
  );
}
