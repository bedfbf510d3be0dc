import type { ModelFailureCode } from "./model-failure.ts";

/** What a connection that failed means. */
export interface NetworkFailure {
  readonly code: ModelFailureCode;
  readonly sentence: (place: string) => string;
  readonly isTransient: boolean;
}

const ROWS: readonly (readonly [RegExp, NetworkFailure])[] = [
  [
    /^ECONNREFUSED$/,
    {
      code: "network",
      sentence: (place) => `nobody answers at ${place}; is the server there running?`,
      // Nobody starts it within the seconds that are waited.
      isTransient: false,
    },
  ],
  [/^ENOTFOUND$/, { code: "network", sentence: notFound, isTransient: false }],
  [/^EAI_AGAIN$/, { code: "network", sentence: notFound, isTransient: true }],
  [
    /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|TimeoutError)$/,
    {
      code: "timeout",
      sentence: (place) => `${place} took too long to answer`,
      isTransient: true,
    },
  ],
  [
    // The last is a compressed answer without its end.
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNABORTED|Z_BUF_ERROR)$/,
    {
      code: "network",
      sentence: (place) => `the connection to ${place} was lost`,
      isTransient: true,
    },
  ],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/,
    {
      code: "network",
      sentence: (place) => `${place} cannot be reached; is there a network?`,
      isTransient: true,
    },
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ERR_TLS/,
    {
      code: "network",
      sentence: (place) =>
        `the certificate of ${place} is not trusted; behind a proxy that reads along, name its certificate with NODE_EXTRA_CA_CERTS`,
      isTransient: false,
    },
  ],
  [
    /^(?:HPE_|EPROTO|ERR_SSL)/,
    {
      code: "garbage",
      sentence: (place) => `${place} does not speak HTTP as expected; is base_url right?`,
      isTransient: false,
    },
  ],
];

/** Looks through an error and what caused it for a failed connection. */
export function networkFailureOf(error: unknown): NetworkFailure | undefined {
  for (const code of codesOf(error)) {
    const row = ROWS.find(([pattern]) => pattern.test(code));
    if (row !== undefined) return row[1];
  }
  return undefined;
}

function notFound(place: string): string {
  return `${place} cannot be found; is there a network, and is the name right?`;
}

const DEEPEST = 8;

/** An error, what caused it, what caused that, and so on. */
export function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  let current = error;
  while (causes.length < DEEPEST && current instanceof Error) {
    causes.push(current);
    current = current.cause;
  }
  return causes;
}

function codesOf(error: unknown): readonly string[] {
  return causesOf(error)
    .flatMap((cause) => [
      "code" in cause && cause.code,
      cause.name === "TimeoutError" && cause.name,
    ])
    .filter((code) => typeof code === "string");
}
