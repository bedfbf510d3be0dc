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
      isTransient: true,
    },
  ],
  [
    /^(?:ENOTFOUND|EAI_AGAIN)$/,
    {
      code: "network",
      sentence: (place) => `${place} cannot be found; is there a network, and is the name right?`,
      isTransient: true,
    },
  ],
  [
    /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|TimeoutError)$/,
    {
      code: "timeout",
      sentence: (place) => `${place} took too long to answer`,
      isTransient: true,
    },
  ],
  [
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNABORTED)$/,
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

const DEEPEST = 8;

function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  let current = error;
  for (let depth = 0; depth < DEEPEST && current instanceof Error; depth++) {
    if ("code" in current && typeof current.code === "string") codes.push(current.code);
    if (current.name === "TimeoutError") codes.push(current.name);
    current = current.cause;
  }
  return codes;
}
