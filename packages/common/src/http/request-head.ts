/** The headers of a request, as Node has them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The head of a request, which is checked before anything else of it is read. */
export interface RequestHead {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly headers: RequestHeaders;
}

/** The head of a request as Node has it. */
export function requestHead({
  method = "",
  url = "",
  headers,
}: {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: RequestHeaders;
}): RequestHead {
  return { method, path: url.split("?", 1)[0] ?? "", headers };
}

/** The value of a header; empty for one that is missing or was sent twice. */
export function headerText(headers: RequestHeaders, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}

/** The bearer token of a request; empty if there is none. */
export function bearerToken(headers: RequestHeaders): string {
  return /^Bearer ([\w-]{1,200})$/.exec(headerText(headers, "authorization"))?.[1] ?? "";
}

/** The spellings of addresses of a server in a Host header. Clients leave out the default port. */
export function hostSpellings(
  names: readonly string[],
  { port, defaultPort }: { readonly port: number; readonly defaultPort: number },
): readonly string[] {
  return names.flatMap((name) =>
    port === defaultPort ? [name, `${name}:${port}`] : [`${name}:${port}`],
  );
}

/** What is wrong with the headers of a body: its type, or the size that they declare. */
export function checkBodyHeaders(
  headers: RequestHeaders,
  maxBytes: number,
): "not-json" | "too-large" | undefined {
  const type = headerText(headers, "content-type").split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") return "not-json";
  return Number(headerText(headers, "content-length") || 0) > maxBytes ? "too-large" : undefined;
}
