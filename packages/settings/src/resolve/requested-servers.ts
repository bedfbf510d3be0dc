import type { KeyDiagnostic, ParsedFile } from "../file/parse-file.ts";
import type { ServerSettings, ServerTable } from "../keys/server-keys.ts";

/** A server that a file of the repository requests. It has no effect until the user approves it. */
export interface RequestedServer {
  readonly name: string;
  readonly settings: ServerSettings;
  /** The file that requests it. */
  readonly path: string;
}

export interface RequestedServers {
  readonly servers: readonly RequestedServer[];
  readonly warnings: readonly KeyDiagnostic[];
}

/** No user reads more approval questions than this. */
const MAX_REQUESTS = 16;

/** Collects the requests of the repository's files. A later file replaces an earlier one; none replaces the user's own. */
export function resolveRequestedServers(
  own: ServerTable,
  projects: readonly ParsedFile[],
): RequestedServers {
  const warnings: KeyDiagnostic[] = [];
  const requested = new Map<string, RequestedServer>();
  for (const { path, values } of projects) {
    const given = values.get("mcp.servers");
    for (const [name, settings] of Object.entries(asServerTable(given?.value))) {
      // Disabling a server is how the user declines it for good, so nothing is reported.
      if (Object.hasOwn(own, name) && own[name]?.enabled === false) continue;
      const message = refusal(name, { own, requested });
      if (message === undefined) {
        requested.set(name, { name, settings, path });
        continue;
      }
      const segments = [...(given?.segments ?? []), name];
      warnings.push({ code: "NOT_FOR_PROJECTS", path, segments, message });
    }
  }
  return { servers: [...requested.values()], warnings };
}

/** Why a request is ignored. */
function refusal(
  name: string,
  context: {
    readonly own: ServerTable;
    readonly requested: ReadonlyMap<string, RequestedServer>;
  },
): string | undefined {
  const { own, requested } = context;
  const ignored = `mcp.servers.${name} is ignored in a project file`;
  if (Object.hasOwn(own, name)) return `${ignored}: you have a server with that name.`;
  if (requested.size < MAX_REQUESTS || requested.has(name)) return undefined;
  return `${ignored}: a repository can request at most ${MAX_REQUESTS} servers.`;
}

function asServerTable(value: unknown): ServerTable {
  // It was checked when the file was parsed.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (value ?? {}) as ServerTable;
}
