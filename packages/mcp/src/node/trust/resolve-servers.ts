import type {
  ResolvedServer,
  ResolvedServers,
  ServerConfig,
  ServerEntry,
  UnusableServer,
} from "../../trust/server-entry.ts";
import { entryText, sha256 } from "./fingerprint.ts";
import { resolveTransport, type TransportEnvironment } from "./resolve-transport.ts";
import {
  createServerApprovals,
  type RequestKind,
  type ServerApprovals,
} from "./server-approvals.ts";

export interface ResolveServersInput extends TransportEnvironment {
  /** The user's own entries first, then the requested ones. */
  readonly entries: readonly ServerEntry[];
  /** Names of variables that hold a key of the user's. A requested server never gets one of them. */
  readonly protectedVariables: readonly string[];
  /** What the entries are; servers by default. The approval of one kind is none for another. */
  readonly kind?: RequestKind | undefined;
  /** Hides secrets in the command lines of the user's own servers wherever they are shown. */
  readonly redact?: ((words: readonly string[]) => readonly string[]) | undefined;
}

/** The configured servers of a workspace, with the approvals of requested ones. */
export interface ConfiguredServers extends ResolvedServers, Pick<ResolveServersInput, "redact"> {
  readonly workspaceRoot: string;
  readonly approvals: ServerApprovals;
}

/** Resolves every settings entry to what would be started, or to why it cannot be. Reads nothing from disk. */
export function resolveServers(input: ResolveServersInput): ConfiguredServers {
  const resolved = input.entries.map((entry) => resolveServer(entry, input));
  return {
    workspaceRoot: input.workspaceRoot,
    approvals: createServerApprovals(input, input.kind),
    redact: input.redact,
    servers: resolved.flatMap((one) => ("server" in one ? [one] : [])),
    unusable: resolved.flatMap((one) => ("server" in one ? [] : [one])),
  };
}

const DEFAULT_TIMEOUT_SECONDS = 60;

function resolveServer(
  { name, config, source, isRequested }: ServerEntry,
  input: ResolveServersInput,
): ResolvedServer | UnusableServer {
  const unusable = (reason: string, isOff = false): UnusableServer => ({
    name,
    source,
    isRequested,
    isOff,
    reason,
  });
  if (config.enabled === false) return unusable("it is turned off (enabled = false)", true);
  const refusal = isRequested ? requestRefusal(config, input) : undefined;
  if (refusal !== undefined) return unusable(refusal);
  const found = resolveTransport(config, { ...input, isRequested });
  if ("reason" in found) return unusable(found.reason);
  const { transport, notes } = found;
  const { tier, memory_tool: memoryTool } = config;
  const server = { name, source, transport, tier, memoryTool };
  const isProgram = transport.kind === "stdio";
  const { env = {}, pass_env: passed = [], token_env: token } = config;
  const details = {
    setVariables: isProgram ? env : {},
    passedVariables: isProgram ? passed : token === undefined ? [] : [token],
    timeoutSeconds: config.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS,
  };
  const fingerprint = sha256(entryText(server, details));
  return { server: { ...server, fingerprint }, isRequested, ...details, notes };
}

/** A longer entry is more than a user can review in a question. */
const MAX_REQUEST_CHARACTERS = 4000;

/** Why a repository may not even request this. */
function requestRefusal(
  config: ServerConfig,
  { protectedVariables }: ResolveServersInput,
): string | undefined {
  const protectedNames = new Set(protectedVariables.map((name) => name.toUpperCase()));
  const requested = [
    ...(config.pass_env ?? []),
    ...(config.token_env === undefined ? [] : [config.token_env]),
  ];
  const key = requested.find((name) => protectedNames.has(name.toUpperCase()));
  if (key !== undefined)
    return `it requests ${key}, a model provider's key, which no repository gets`;
  const { length } = JSON.stringify(config);
  if (length <= MAX_REQUEST_CHARACTERS) return undefined;
  return `its settings have ${length} characters, too many to review (limit ${MAX_REQUEST_CHARACTERS})`;
}
