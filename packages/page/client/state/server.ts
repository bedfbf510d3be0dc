import { type Signal, signal } from "@preact/signals";
import type { TopicView } from "../../src/view/topic-view.ts";
import { tokenHeader } from "./access.ts";

/** What became of a change. */
export type Outcome =
  | {
      readonly kind: "done";
      readonly message: string;
      readonly change?: string;
      readonly slug?: string;
    }
  | { readonly kind: "conflict"; readonly current: TopicView | null }
  | { readonly kind: "refused"; readonly message: string };

/** A request that failed, with a message for the user. */
export type Failure = { readonly kind: "failure"; readonly message: string };

/** Why the page cannot reach its server. */
export const lost: Signal<"" | "no-token" | "stopped"> = signal("");

const stored = readStored();

/** A page without a server has every answer in itself, and changes nothing. */
export const isStored: boolean = stored !== undefined;

/** Reads from the server. */
export async function read<T>(address: string): Promise<T | Failure> {
  if (stored !== undefined) {
    const found = stored[address];
    return found === undefined
      ? failure("this is not part of the exported file")
      : answerAs<T>(found);
  }
  const response = await request(address, {});
  if (response === undefined) return failure("the page was stopped");
  const body: unknown = await response.json();
  if (response.ok) return answerAs<T>(body);
  return failure(answerAs<{ readonly message: string }>(body).message);
}

/** Changes something on the server. */
export async function change(path: string, body: object): Promise<Outcome> {
  const response = await request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response === undefined)
    return { kind: "refused", message: "the page was stopped; nothing was changed" };
  return answerAs<Outcome>(await response.json());
}

/** Requests something with the token; `undefined` if no one answers. */
export async function request(
  path: string,
  { headers, ...init }: PageRequestInit,
): Promise<Response | undefined> {
  try {
    const response = await fetch(`/api/${path}`, {
      ...init,
      headers: { ...headers, ...tokenHeader() },
      cache: "no-store",
    });
    if (response.status === 401) lost.value = "no-token";
    return response;
  } catch {
    lost.value = "stopped";
    return undefined;
  }
}

interface PageRequestInit extends Omit<RequestInit, "headers"> {
  readonly headers?: Readonly<Record<string, string>>;
}

/** The server and the client are built from the same types. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the address
function answerAs<T>(value: unknown): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by the types of src/view, which both use
  return value as T;
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "failure";
}

function failure(message: string): Failure {
  return { kind: "failure", message };
}

function readStored(): Readonly<Record<string, unknown>> | undefined {
  const text = document.getElementById("stored")?.textContent ?? "";
  return text === "" ? undefined : answerAs<Readonly<Record<string, unknown>>>(JSON.parse(text));
}
