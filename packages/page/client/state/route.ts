import { type Signal, signal } from "@preact/signals";

/** The part of the address after `#/`, in pieces, and the query after it. */
export interface PageRoute {
  readonly pieces: readonly string[];
  readonly query: URLSearchParams;
}

export const VIEWS = ["prompt", "topics", "inbox", "timeline", "search", "health"] as const;

export type ViewName = (typeof VIEWS)[number];

export const currentRoute: Signal<PageRoute> = signal(parseRoute(location.hash));

/** Follows the address. */
export function followAddress(): void {
  addEventListener("hashchange", () => {
    currentRoute.value = parseRoute(location.hash);
  });
}

export function viewOf({ pieces }: PageRoute): ViewName {
  return VIEWS.find((name) => name === pieces[0]) ?? "prompt";
}

export function addressOf(...pieces: readonly string[]): string {
  return `#/${pieces.map(encodeURIComponent).join("/")}`;
}

export function goTo(address: string): void {
  location.hash = address;
}

function parseRoute(hash: string): PageRoute {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { pieces: path.split("/").map(decode), query: new URLSearchParams(query) };
}

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    // An address that someone typed.
    return piece;
  }
}
