import type { McpServer } from "../client/mcp-server.ts";

/** The settings of one server, with the keys that settings files use. */
export interface ServerConfig {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly pass_env?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  readonly token_env?: string | undefined;
  readonly client_id?: string | undefined;
  readonly tier?: "memory" | undefined;
  readonly memory_tool?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly timeout_seconds?: number | undefined;
}

/** One entry of a settings file. */
export interface ServerEntry {
  readonly name: string;
  readonly config: ServerConfig;
  /** The settings file, as shown to the user. */
  readonly source: string;
  /** Whether the entry comes with the repository. Such a server is not used before the user approves it. */
  readonly isRequested: boolean;
}

/** A server as its settings describe it, with everything the user should know before it is started. */
export interface ResolvedServer {
  /** The fingerprint covers the settings only. That of an examined request also covers files. */
  readonly server: McpServer;
  readonly isRequested: boolean;
  /** Variables that the settings set in the server's environment. */
  readonly setVariables: Readonly<Record<string, string>>;
  /** Names of the user's variables that are passed to the server, or whose value is sent to it. */
  readonly passedVariables: readonly string[];
  /** How long one call may take. */
  readonly timeoutSeconds: number;
  /** Problems that do not prevent a start, such as a missing variable. */
  readonly notes: readonly string[];
}

/** A server that cannot be started. */
export interface UnusableServer {
  readonly name: string;
  readonly source: string;
  readonly isRequested: boolean;
  /** Whether the settings turn it off. Otherwise its settings have a problem. */
  readonly isOff: boolean;
  /** A clause without a final period. */
  readonly reason: string;
}

export interface ResolvedServers {
  /** The user's own servers first, then the requested ones, each in the order of the settings files. */
  readonly servers: readonly ResolvedServer[];
  readonly unusable: readonly UnusableServer[];
}
