import type { ApiClient } from "@caliban/tools-builtin/store-api";
import { isUsageError } from "../../../usage-error.ts";
import { hashToken, type TokenFile, type TokenRecord } from "../tokens/token-file.ts";

/**
 * Finds the client with a token. The file is read again when it changes, so that a removed token ends at once. Of a file
 * that cannot be used, no token counts.
 */
export function createClientFinder(
  file: TokenFile,
  report: (line: string) => void,
): (token: string) => ApiClient | undefined {
  let known: ReadonlyMap<string, ApiClient> = new Map();
  let fingerprint: string | undefined;
  return (token) => {
    if (token === "") return undefined;
    const current = file.fingerprint();
    if (current !== fingerprint) {
      fingerprint = current;
      known = readClients(file, report);
    }
    // What is looked up is a hash, so the time that it takes says nothing about a token.
    return known.get(hashToken(token));
  };
}

function readClients(
  file: TokenFile,
  report: (line: string) => void,
): ReadonlyMap<string, ApiClient> {
  try {
    return new Map(file.read().map((record) => [record.sha256, toClient(record)] as const));
  } catch (error) {
    if (!isUsageError(error)) throw error;
    report(error.message);
    return new Map();
  }
}

function toClient({ name, stores, access, mayRedact }: TokenRecord): ApiClient {
  const ids = new Set(stores.map(({ id }) => id));
  return { name, mayRedact, access: (id) => (ids.has(id) ? access : undefined) };
}
