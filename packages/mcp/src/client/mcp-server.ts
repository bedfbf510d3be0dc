/** One MCP server as data: everything needed to start or reach it. */
export interface McpServer {
  /** Lower-case letters, digits, `-` and `_`. Tools and permissions are named after it. */
  readonly name: string;
  /** The settings file that configures it, as shown to the user. */
  readonly source: string;
  readonly transport: McpTransport;
  /** `memory`: the server is a fourth tier of memory, consulted only on demand. */
  readonly tier?: "memory" | undefined;
  /** The tool whose result lists the memories. Without it, the server's resources are the memories. */
  readonly memoryTool?: string | undefined;
  /** SHA-256 of everything that decides what is started, so that no record is ever used for a different server. */
  readonly fingerprint: string;
}

/** How a server is reached. */
export type McpTransport =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      /** The complete environment of the process; nothing is inherited. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** What the authorization server knows this client as, if it registers none by itself. */
      readonly clientId?: string | undefined;
    };

/** A server that may be started. */
export interface StartableServer {
  readonly server: McpServer;
  /** How long one call may take. */
  readonly timeoutSeconds: number;
  /** Whether the repository requests it, so that it is confined where that is possible. */
  readonly isRequested?: boolean | undefined;
  /** Called before every start. Returns why the server may no longer be started, or `undefined` if it may. */
  readonly recheck?: (() => Promise<string | undefined>) | undefined;
}
