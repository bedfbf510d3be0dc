import { abbreviateHome, type Environment, pathStyleOf } from "@caliban/common";
import type { ServerSettings } from "@caliban/settings";
import type { LoadedSettings } from "@caliban/settings/node";
import { keyVariables } from "../../../../providers/src/key-variables.ts";
import { entryText, sha256 } from "./fingerprint.ts";
import type { ResolvedServer, UnusableServer } from "../../trust/resolved-server.ts";
import { resolveTransport } from "./resolve-transport.ts";

export interface ResolveServersInput {
  readonly settings: Pick<LoadedSettings, "trusted" | "wishes" | "effective">;
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
  /** A real path. */
  readonly workspaceRoot: string;
}

export interface ResolvedServers {
  /** The person's own first, then what the repository wishes for; each kind in the order of the files. */
  readonly servers: readonly ResolvedServer[];
  readonly unusable: readonly UnusableServer[];
}

/** One entry of a settings file. */
interface Entry {
  readonly name: string;
  readonly settings: ServerSettings;
  readonly source: string;
  readonly isWish: boolean;
}

const DEFAULT_TIMEOUT_SECONDS = 60;

/** What would be started for every entry of the settings, and what cannot be; nothing on disk is looked at. */
export function resolveServers(input: ResolveServersInput): ResolvedServers {
  const resolved = entriesOf(input).map((entry) => resolveServer(entry, input));
  return {
    servers: resolved.flatMap((one) => ("server" in one ? [one] : [])),
    unusable: resolved.flatMap((one) => ("server" in one ? [] : [one])),
  };
}

function entriesOf({ settings, platform, home }: ResolveServersInput): readonly Entry[] {
  const shown = (path: string): string => abbreviateHome(pathStyleOf(platform), path, home);
  const setting = settings.effective.find(({ key }) => key === "mcp.servers");
  const source = shown(setting?.origins.at(-1)?.where ?? "settings");
  const own = Object.entries(settings.trusted["mcp.servers"]);
  return [
    ...own.map(([name, server]) => ({ name, settings: server, source, isWish: false })),
    ...settings.wishes.map(({ name, settings: server, where }) => ({
      name,
      settings: server,
      source: shown(where),
      isWish: true,
    })),
  ];
}

function resolveServer(entry: Entry, input: ResolveServersInput): ResolvedServer | UnusableServer {
  const { name, settings, source, isWish } = entry;
  const unusable = (reason: string, isOff = false): UnusableServer => ({
    name,
    source,
    isRequested: isWish,
    isOff,
    reason,
  });
  if (settings.enabled === false) return unusable("it is turned off (enabled = false)", true);
  const refused = isWish ? refusal(settings, input) : undefined;
  if (refused !== undefined) return unusable(refused);
  const found = resolveTransport(settings, { ...input, isWish });
  if ("reason" in found) return unusable(found.reason);
  const { transport, notes } = found;
  const { tier, memory_tool: memoryTool } = settings;
  const server = { name, source, transport, tier, memoryTool };
  const isProgram = transport.kind === "stdio";
  const { env = {}, pass_env: passed = [], token_env: token } = settings;
  const more = {
    setVariables: isProgram ? env : {},
    passedVariables: isProgram ? passed : token === undefined ? [] : [token],
    timeoutSeconds: settings.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS,
  };
  const fingerprint = sha256(entryText(server, more));
  return { server: { ...server, fingerprint }, isRequested: isWish, ...more, notes };
}

/** What nobody can judge is not asked about. */
const MOST_WISH_CHARS = 4000;

/** Why a repository may not even wish for this. */
function refusal(wish: ServerSettings, { settings }: ResolveServersInput): string | undefined {
  const keys = new Set(keyVariables(settings.trusted.providers).map((name) => name.toUpperCase()));
  const asked = [
    ...(wish.pass_env ?? []),
    ...(wish.token_env === undefined ? [] : [wish.token_env]),
  ];
  const key = asked.find((name) => keys.has(name.toUpperCase()));
  if (key !== undefined)
    return `it asks for ${key}, the key of a model's provider, which no repository gets`;
  const length = JSON.stringify(wish).length;
  if (length <= MOST_WISH_CHARS) return undefined;
  return `it takes ${length} characters to write down, more than a person can be asked to judge (${MOST_WISH_CHARS})`;
}
