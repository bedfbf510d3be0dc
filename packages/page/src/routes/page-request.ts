import { isRecord } from "@caliban/common";
import { PAGE_SCOPES, type PageScope } from "../data.ts";

/** A request that passed all checks of its head. */
export interface PageRequest {
  readonly method: "GET" | "POST";
  /** The path below `/api/`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON value of a POST. */
  readonly body?: unknown;
}

/** What is sent back, as JSON. */
export interface PageAnswer {
  readonly status: number;
  readonly body: object;
}

export function answer(body: object): PageAnswer {
  return { status: 200, body };
}

/** A request that cannot be carried out, with a message for the user. */
export function problem(status: number, message: string): PageAnswer {
  return { status, body: { kind: "refused", message } };
}

/** Reads the fields of a request; `undefined` for one that is missing or has the wrong type. */
export interface RequestFields {
  readonly text: (name: string) => string | undefined;
  readonly flag: (name: string) => boolean;
  readonly list: (name: string) => readonly unknown[] | undefined;
  readonly record: (name: string) => Readonly<Record<string, unknown>> | undefined;
  /** `project` if there is none. */
  readonly scope: () => PageScope | undefined;
}

export function fieldsOf({ method, query, body }: PageRequest): RequestFields {
  const values = method === "GET" ? query : isRecord(body) ? body : {};
  const own = (name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);
  return {
    text: (name) => {
      const value = own(name);
      return typeof value === "string" ? value : undefined;
    },
    flag: (name) => own(name) === true,
    list: (name) => {
      const value = own(name);
      return Array.isArray(value) ? value : undefined;
    },
    record: (name) => {
      const value = own(name);
      return isRecord(value) ? value : undefined;
    },
    scope: () => {
      const value = own("scope");
      return PAGE_SCOPES.find((scope) => scope === (value ?? "project"));
    },
  };
}
