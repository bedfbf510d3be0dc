import type { KeyDiagnostic, ParsedFile } from "../file/parse-file.ts";
import type { HookSettings } from "../keys/hook-keys.ts";
import type { ServerSettings } from "../keys/server-keys.ts";

/** Something that a file of the repository requests. It has no effect until the user approves it. */
interface Requested<Settings> {
  readonly name: string;
  readonly settings: Settings;
  /** The file that requests it. */
  readonly path: string;
}

/** A server that the repository requests. */
export type RequestedServer = Requested<ServerSettings>;
/** A hook that the repository requests. */
export type RequestedHook = Requested<HookSettings>;

interface ResolvedRequests<Settings> {
  readonly requests: readonly Requested<Settings>[];
  readonly warnings: readonly KeyDiagnostic[];
}

interface RequestsInput<Settings> {
  readonly setting: "mcp.servers" | "hooks";
  /** What one of them is called. */
  readonly noun: "server" | "hook";
  /** The user's own. */
  readonly own: Readonly<Record<string, Settings>>;
  readonly projects: readonly ParsedFile[];
}

/** No user reads more approval questions than this. */
const MAX_REQUESTS = 16;

/** Collects the requests of the repository's files. A later file replaces an earlier one; none replaces the user's own. */
export function resolveRequests<Settings extends { readonly enabled?: boolean | undefined }>(
  input: RequestsInput<Settings>,
): ResolvedRequests<Settings> {
  const { setting, own, projects } = input;
  const warnings: KeyDiagnostic[] = [];
  const requested = new Map<string, Requested<Settings>>();
  for (const { path, values } of projects) {
    const given = values.get(setting);
    for (const [name, settings] of Object.entries(asTable<Settings>(given?.value))) {
      // Disabling it is how the user declines it for good, so nothing is reported.
      if (Object.hasOwn(own, name) && own[name]?.enabled === false) continue;
      const message = refusal(name, input, requested);
      if (message === undefined) {
        requested.set(name, { name, settings, path });
        continue;
      }
      const segments = [...(given?.segments ?? []), name];
      warnings.push({ code: "NOT_FOR_PROJECTS", path, segments, message });
    }
  }
  return { requests: [...requested.values()], warnings };
}

/** Why a request is ignored. */
function refusal<Settings>(
  name: string,
  { setting, noun, own }: RequestsInput<Settings>,
  requested: ReadonlyMap<string, unknown>,
): string | undefined {
  const ignored = `${setting}.${name} is ignored in a project file`;
  if (Object.hasOwn(own, name)) return `${ignored}: you have a ${noun} with that name.`;
  if (requested.size < MAX_REQUESTS || requested.has(name)) return undefined;
  return `${ignored}: a repository can request at most ${MAX_REQUESTS} ${noun}s.`;
}

function asTable<Settings>(value: unknown): Readonly<Record<string, Settings>> {
  // It was checked when the file was parsed.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (value ?? {}) as Readonly<Record<string, Settings>>;
}
