import { type Signal, signal } from "@preact/signals";

/** The part of the address after `#/`, in pieces, and the query after it. */
export interface PageRoute {
  /** The project that the address names; empty for the one that the page was started in. */
  readonly project: string;
  readonly pieces: readonly string[];
  readonly query: URLSearchParams;
}

export const VIEWS = ["prompt", "topics", "inbox", "timeline", "search", "health"] as const;

export type ViewName = (typeof VIEWS)[number];

export const currentRoute: Signal<PageRoute> = signal(parseRoute(location.hash));

/** Follows the address, from which the token was removed. */
export function followAddress(): void {
  readAddress();
  addEventListener("hashchange", readAddress);
}

function readAddress(): void {
  currentRoute.value = parseRoute(location.hash);
}

export function viewOf({ pieces }: PageRoute): ViewName {
  return VIEWS.find((name) => name === pieces[0]) ?? "prompt";
}

/** An address of the project that is shown. */
export function addressOf(...pieces: readonly string[]): string {
  return projectAddress(currentRoute.value.project, ...pieces);
}

export function projectAddress(project: string, ...pieces: readonly string[]): string {
  const prefix = project === "" ? "" : `@${project}/`;
  return `#/${prefix}${pieces.map(encodeURIComponent).join("/")}`;
}

export function goTo(address: string): void {
  location.hash = address;
}

function parseRoute(hash: string): PageRoute {
  const [path = "", text = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [first = "", ...rest] = path.split("/").map(decode);
  const query = new URLSearchParams(text);
  const project = /^@([0-9a-f]{1,64})$/.exec(first)?.[1];
  return project === undefined
    ? { project: "", pieces: [first, ...rest], query }
    : { project, pieces: rest, query };
}

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    // An address that someone typed.
    return piece;
  }
}
