import type { ModelFailureCode } from "./model-failure.ts";

/** A kind of failed connection. */
export interface NetworkFailure {
  readonly code: ModelFailureCode;
  readonly describe: (endpoint: string) => string;
  readonly isTransient: boolean;
}

const FAILURES: readonly (readonly [RegExp, NetworkFailure])[] = [
  [
    /^ECONNREFUSED$/,
    {
      code: "network",
      describe: (endpoint) => `cannot connect to ${endpoint}; is the server running?`,
      // No one starts the server within the few seconds of a retry.
      isTransient: false,
    },
  ],
  [/^ENOTFOUND$/, { code: "network", describe: describeNotFound, isTransient: false }],
  [/^EAI_AGAIN$/, { code: "network", describe: describeNotFound, isTransient: true }],
  [
    /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|TimeoutError)$/,
    {
      code: "timeout",
      describe: (endpoint) => `${endpoint} took too long to respond`,
      isTransient: true,
    },
  ],
  [
    // Z_BUF_ERROR is a compressed response that was truncated.
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNABORTED|Z_BUF_ERROR)$/,
    {
      code: "network",
      describe: (endpoint) => `lost the connection to ${endpoint}`,
      isTransient: true,
    },
  ],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/,
    {
      code: "network",
      describe: (endpoint) => `cannot reach ${endpoint}; check the network connection`,
      isTransient: true,
    },
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ERR_TLS/,
    {
      code: "network",
      describe: (endpoint) =>
        `the certificate of ${endpoint} is not trusted; behind an intercepting proxy, set NODE_EXTRA_CA_CERTS to the proxy's certificate`,
      isTransient: false,
    },
  ],
  [
    /^(?:HPE_|EPROTO|ERR_SSL)/,
    {
      code: "garbage",
      describe: (endpoint) => `${endpoint} does not speak HTTP as expected; check base_url`,
      isTransient: false,
    },
  ],
];

/** Searches an error and its causes for a failed connection. */
export function findNetworkFailure(error: unknown): NetworkFailure | undefined {
  for (const code of codesOf(error)) {
    const match = FAILURES.find(([pattern]) => pattern.test(code));
    if (match !== undefined) return match[1];
  }
  return undefined;
}

function describeNotFound(endpoint: string): string {
  return `cannot resolve the host of ${endpoint}; check the host name and the network connection`;
}

const MAX_CAUSES = 8;

/** An error, its cause, the cause of that, and so on. */
export function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  let current = error;
  while (causes.length < MAX_CAUSES && current instanceof Error) {
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
