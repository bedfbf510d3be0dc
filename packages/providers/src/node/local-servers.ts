import { isRecord, parseJson } from "@caliban/common";
import { KNOWN_PROVIDERS } from "../provider-table.ts";

/** A model server that answers on this machine. */
export interface LocalServer {
  /** The name before the slash of `provider/model`. */
  readonly provider: string;
  readonly baseUrl: string;
  /** The first models it lists. Their names are whatever the server says. */
  readonly models: readonly string[];
}

/** Where a server may listen. */
export type LocalEndpoint = Pick<LocalServer, "provider" | "baseUrl">;

const TIMEOUT_MS = 500;
const MAX_BYTES = 256 * 1024;
const MAX_MODELS = 3;

/** The servers of the provider table that need no key. */
const ENDPOINTS: readonly LocalEndpoint[] = Object.entries(KNOWN_PROVIDERS).flatMap(
  ([provider, { baseUrl, keyVariables }]) =>
    keyVariables.length === 0 ? [{ provider, baseUrl }] : [],
);

/**
 * The model servers that answer on loopback. Any program can listen on such a port, so only one that lists models
 * counts. No key is sent, and no other machine is contacted.
 */
export async function findLocalServers(
  endpoints: readonly LocalEndpoint[] = ENDPOINTS,
): Promise<readonly LocalServer[]> {
  const found = await Promise.all(endpoints.map(askForModels));
  return found.flatMap((server) => server ?? []);
}

async function askForModels(endpoint: LocalEndpoint): Promise<LocalServer | undefined> {
  try {
    const response = await fetch(`${endpoint.baseUrl}/models`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "error",
    });
    const models = response.ok ? parseModels(await readLimited(response)) : undefined;
    return models === undefined ? undefined : { ...endpoint, models };
  } catch {
    // Whatever goes wrong, no model server answers there.
    return undefined;
  }
}

/** The text of a response, as far as it is read. */
async function readLimited({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes > MAX_BYTES) return "";
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

/** The ids of the list that servers with this API return; `undefined` for anything else. */
function parseModels(text: string): readonly string[] | undefined {
  const value = parseJson(text);
  const data: unknown = isRecord(value) ? value["data"] : undefined;
  if (!Array.isArray(data)) return undefined;
  const items: readonly unknown[] = data;
  return items
    .flatMap((item) => (isRecord(item) && typeof item["id"] === "string" ? [item["id"]] : []))
    .filter((id) => /^[\w./:@+-]{1,128}$/.test(id))
    .slice(0, MAX_MODELS);
}
