import { MemoryError } from "@caliban/memory";

/** The part of `pg.Pool` that is used. Any pool of this shape works. */
export interface PostgresPool {
  readonly connect: () => Promise<PostgresClient>;
}

/** The part of `pg.PoolClient` that is used. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  on(event: "notification", listener: (message: { readonly channel: string }) => void): unknown;
  removeListener(event: string, listener: () => void): unknown;
  /** `true` closes the connection instead of keeping it. */
  release(destroy?: boolean): void;
}

/** A pool of the caller, or the URL of a server. */
export interface ConnectionInput {
  readonly pool?: PostgresPool | undefined;
  /** `postgres://user:password@host:port/database`. */
  readonly url?: string | undefined;
  /** For connecting, or for getting a connection of the pool. */
  readonly connectTimeoutMs?: number | undefined;
  /** For each statement. */
  readonly statementTimeoutMs?: number | undefined;
}

export interface FoundPool {
  readonly getPool: () => Promise<PostgresPool>;
  /** Texts that must not appear in a message. */
  readonly secrets: readonly string[];
  readonly close: () => Promise<void>;
}

/** The pool of the caller, or one for the URL. */
export function findPool(
  functionName: string,
  {
    pool,
    url,
    connectTimeoutMs,
  }: ConnectionInput & {
    readonly connectTimeoutMs: number;
  },
): FoundPool {
  if ((pool === undefined) === (url === undefined))
    throw invalidArgument(`${functionName}: pass either "pool" or "url"`);
  if (pool !== undefined) {
    if (typeof pool.connect !== "function")
      throw invalidArgument(`${functionName}: "pool" must be a pool of pg`);
    return {
      getPool: async () => pool,
      secrets: secretsOfPool(pool),
      close: async () => undefined,
    };
  }
  if (typeof url !== "string" || !/^postgres(?:ql)?:\/\//.test(url))
    throw invalidArgument(`${functionName}: "url" must start with postgres://`);
  const own = ownPool(url, connectTimeoutMs);
  return { ...own, secrets: secretsOfUrl(url) };
}

/** Loads the driver and creates the pool with the first use. */
function ownPool(url: string, connectTimeoutMs: number): Omit<FoundPool, "secrets"> {
  let opened: Promise<PostgresPool & { readonly end: () => Promise<void> }> | undefined;
  const open = async (): ReturnType<typeof getPool> => {
    const { Pool } = (await import("pg")).default;
    const pool = new Pool({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      // Idle connections do not keep the process alive.
      allowExitOnIdle: true,
      keepAlive: true,
    });
    // An idle connection that ends is replaced when the next one is needed.
    pool.on("error", ignore);
    return pool;
  };
  const getPool = (): NonNullable<typeof opened> => (opened ??= open());
  const close = async (): Promise<void> => {
    const pool = await opened;
    opened = undefined;
    await pool?.end();
  };
  return { getPool, close };
}

/** The URL and the parts of it that can contain a password, as written and decoded. */
function secretsOfUrl(url: string): readonly string[] {
  const afterScheme = url.replace(/^\w+:\/\//, "");
  const credentials = afterScheme.slice(0, Math.max(0, afterScheme.lastIndexOf("@")));
  const password = credentials.slice(credentials.indexOf(":") + 1);
  const parameters = [...url.matchAll(/[?&]\w*password=([^&]*)/gi)].map(([, value]) => value ?? "");
  return [url, credentials, password, ...parameters].flatMap((part) => [part, decoded(part)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function secretsOfPool(pool: PostgresPool): readonly string[] {
  const options: unknown = Reflect.get(pool, "options");
  if (typeof options !== "object" || options === null) return [];
  const url: unknown = Reflect.get(options, "connectionString");
  const password: unknown = Reflect.get(options, "password");
  return [
    ...(typeof url === "string" ? secretsOfUrl(url) : []),
    ...(typeof password === "string" ? [password] : []),
  ];
}

function ignore(): void {
  // The next statement gets another connection.
}

export function invalidArgument(message: string): MemoryError {
  return new MemoryError("INVALID_ARGUMENT", message);
}
