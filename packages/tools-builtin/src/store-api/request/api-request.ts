import { isRecord } from "@caliban/common";

/** Who sends a request, and what for. */
export interface ApiClient {
  /** Named in the history as the author. */
  readonly name: string;
  /** What the client may do with a store; `undefined` if it must not know about it. */
  readonly access: (storeId: string) => "read" | "write" | undefined;
  /** Whether it may erase old versions for good. */
  readonly mayRedact: boolean;
}

/** A request whose client is known. */
export interface ApiRequest {
  readonly method: string;
  /** Without the query, as it was sent: `/v1/memory_stores`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON value of a POST. */
  readonly body?: unknown;
  readonly client: ApiClient;
}

/** The value of a field, or an error for the client. */
export interface RequestFields {
  readonly text: (name: string) => string | undefined;
  readonly has: (name: string) => boolean;
  readonly value: (name: string) => unknown;
}

/** Own fields only: a body may be any JSON value. `null` counts as left out. */
export function fieldsOf(values: unknown): RequestFields {
  const record = isRecord(values) ? values : {};
  const value = (name: string): unknown => (Object.hasOwn(record, name) ? record[name] : undefined);
  return {
    value,
    has: (name) => value(name) !== undefined && value(name) !== null,
    text: (name) => {
      const found = value(name);
      return typeof found === "string" ? found : undefined;
    },
  };
}
