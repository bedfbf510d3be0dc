import type { SandboxPolicy } from "./sandbox-policy.ts";

/** The kind of access that a command lacked. */
export type DeniedAccess = "write" | "network" | "other";

/** What programs print when a file system is read-only, or a file is covered by a mount. */
const WRITE = /read-only file system|\bEROFS\b|device or resource busy|\bEBUSY\b/i;

const NETWORK =
  /could not resolve host|name or service not known|temporary failure in name resolution|network is unreachable|nodename nor servname|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH)\b|unable to resolve|no route to host|proxy.*\b403\b|\b403 (?:forbidden by caliban|blocked)|failed to fetch|no such host|dns error/i;

const OTHER =
  /permission denied|\bEACCES\b|operation not permitted|\bEPERM\b|failed to move to new namespace|no usable sandbox|cannot connect to the docker daemon|failed to connect to bus/i;

/** The end of an output is enough: a command that fails says so last. */
const MAX_CHARACTERS = 20_000;

/**
 * Guesses from its output whether a command failed because of the sandbox. A file system that is read-only in the middle
 * of a pipe counts, too, although the pipe may end well.
 */
export function findDeniedAccess(
  output: string,
  { failed, network }: { readonly failed: boolean; readonly network: SandboxPolicy["network"] },
): DeniedAccess | undefined {
  const text = output.slice(-MAX_CHARACTERS);
  if (WRITE.test(text)) return "write";
  if (!failed) return undefined;
  if (NETWORK.test(text)) return "network";
  if (network.kind === "proxy" && /\bproxy\b/i.test(text)) return "network";
  return OTHER.test(text) ? "other" : undefined;
}
