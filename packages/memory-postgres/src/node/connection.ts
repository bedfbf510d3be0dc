import {
  type FailurePhase,
  isLost,
  isPostgresFailure,
  PostgresFailure,
  toFailure,
} from "../postgres-failure.ts";
import {
  findPool,
  invalidArgument,
  type ConnectionInput,
  type PostgresClient,
  type PostgresPool,
} from "./pool.ts";

/** Runs statements on one connection. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export type Row = Readonly<Record<string, unknown>>;

export interface Connection {
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  /** Runs an action on a connection of its own. After a failure, the connection is closed, which ends its transaction. */
  readonly run: <Result>(action: (query: Query) => Promise<Result>) => Promise<Result>;
  /** The same for an action that only reads: it runs again if an idle connection turns out to be dead. */
  readonly runReader: <Result>(action: (query: Query) => Promise<Result>) => Promise<Result>;
  /** A client that the caller releases. */
  readonly open: () => Promise<OpenClient>;
  /** Closes the pool, unless it is the caller's. */
  readonly close: () => Promise<void>;
}

interface OpenClient {
  readonly client: PostgresClient;
  readonly query: Query;
}

const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 10_000;
// What PostgreSQL and timers accept.
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export function createConnection(functionName: string, input: ConnectionInput): Connection {
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, statementTimeoutMs = STATEMENT_TIMEOUT_MS } =
    input;
  for (const [name, value] of Object.entries({ connectTimeoutMs, statementTimeoutMs })) {
    if (!Number.isInteger(value) || value < 1 || value > MAX_TIMEOUT_MS)
      throw invalidArgument(`${functionName}: "${name}" must be a positive integer`);
  }
  const { getPool, secrets, close } = findPool(functionName, { ...input, connectTimeoutMs });
  const fail = (phase: FailurePhase) => (error: unknown) => {
    throw isPostgresFailure(error) ? error : toFailure(error, { phase, secrets });
  };

  const open = async (): Promise<OpenClient> => {
    const client = await connect(getPool, connectTimeoutMs).catch(fail("connect"));
    const query: Query = async (text, values) => {
      const answer = client.query(text, values === undefined ? undefined : [...values]);
      const result = await limited(answer, statementTimeoutMs).catch(fail("statement"));
      return rowsOf(result);
    };
    return { client, query };
  };

  const run: Connection["run"] = async (action) => {
    const { client, query } = await open();
    // Without a listener, a connection that ends between two statements ends the process.
    client.on("error", ignore);
    let isDone = false;
    try {
      const result = await action(query);
      isDone = true;
      return result;
    } finally {
      client.removeListener("error", ignore);
      client.release(!isDone);
    }
  };
  const runReader: Connection["run"] = async (action) => {
    try {
      return await run(action);
    } catch (error) {
      if (!isPostgresFailure(error) || error.phase === "connect" || !isLost(error)) throw error;
      return await run(action);
    }
  };
  return { connectTimeoutMs, statementTimeoutMs, run, runReader, open, close };
}

function ignore(): void {
  // The statement that is running, or the next one, reports it.
}

async function connect(
  getPool: () => Promise<PostgresPool>,
  limitMs: number,
): Promise<PostgresClient> {
  const connecting = getPool().then(async (pool) => await pool.connect());
  let isLate = false;
  // A client that arrives too late goes back to the pool.
  connecting.then(
    (client) => (isLate ? client.release() : undefined),
    () => undefined,
  );
  try {
    return await limited(connecting, limitMs);
  } catch (error) {
    isLate = true;
    throw error;
  }
}

async function limited<Value>(promise: Promise<Value>, limitMs: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const message = `did not answer within ${limitMs} ms`;
    timer = setTimeout(() => reject(new PostgresFailure("timeout", { message })), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The rows of a statement. Several statements in one text have several results, which no one asks for. */
function rowsOf(result: unknown): readonly Row[] {
  if (typeof result !== "object" || result === null || !("rows" in result)) return [];
  const { rows } = result;
  return Array.isArray(rows) ? rows : [];
}
