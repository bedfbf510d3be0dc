import { type Signal, signal } from "@preact/signals";
import type { BatchAnswer } from "../../src/routes/batch-routes.ts";
import type { TopicView } from "../../src/view/topic-view.ts";
import { tokenHeader } from "./access.ts";
import { currentRoute } from "./route.ts";

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

/** What became of several changes at once. */
export type BatchOutcome = BatchAnswer | Extract<Outcome, { readonly kind: "refused" }>;

/** A request that failed, with a message for the user. */
export interface Failure {
  readonly kind: "failure";
  readonly message: string;
  /** Whether no one answered at all. */
  readonly isLost: boolean;
}

/** Why the page cannot reach its server. */
export const lost: Signal<"" | "no-token" | "stopped"> = signal("");

const stored = readStored();

/** A page without a server has every answer in itself, and changes nothing. */
export const isStored: boolean = stored !== undefined;

/** The address of something that a project has; the list of projects belongs to none. */
export function addressFor(path: string, project: string): string {
  return project === "" || path === "projects" ? path : `@${project}/${path}`;
}

interface Known {
  readonly etag: string;
  readonly value: unknown;
}

/** The last answers, so that the server can say that nothing changed. */
const answers = new Map<string, Known>();
const MAX_ANSWERS = 100;

/** Reads from the server. What did not change is the same object as before. */
export async function read<T>(address: string): Promise<T | Failure> {
  if (stored !== undefined) {
    const found = stored[address];
    return found === undefined
      ? failure("this is not part of the exported file")
      : answerAs<T>(found);
  }
  const before = answers.get(address);
  const headers = before === undefined ? {} : { "if-none-match": before.etag };
  const response = await request(address, { headers });
  if (response === undefined) return { ...failure("the page was stopped"), isLost: true };
  if (response.status === 304 && before !== undefined) return answerAs<T>(before.value);
  const value: unknown = await response.json();
  if (!response.ok) return failure(answerAs<{ readonly message: string }>(value).message);
  if (answers.size >= MAX_ANSWERS) answers.clear();
  answers.set(address, { etag: response.headers.get("etag") ?? "", value });
  return answerAs<T>(value);
}

/** Changes something on the server. */
export async function change(path: string, body: object): Promise<Outcome> {
  return await post<Outcome>(path, body);
}

/** Changes several things. */
export async function changeMany(path: string, items: readonly object[]): Promise<BatchOutcome> {
  return await post<BatchOutcome>(path, { items });
}

async function post<T>(
  path: string,
  body: object,
): Promise<T | Extract<Outcome, { readonly kind: "refused" }>> {
  const response = await request(addressFor(path, currentRoute.value.project), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response === undefined)
    return { kind: "refused", message: "the page was stopped; nothing was changed" };
  return answerAs<T>(await response.json());
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
    if (init.signal?.aborted !== true) lost.value = "stopped";
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
  return { kind: "failure", message, isLost: false };
}

function readStored(): Readonly<Record<string, unknown>> | undefined {
  const text = document.getElementById("stored")?.textContent ?? "";
  return text === "" ? undefined : answerAs<Readonly<Record<string, unknown>>>(JSON.parse(text));
}
