/** One server that may be started, with everything it takes, as data. */
export interface McpServer {
  /** Lower-case letters, digits, - and _: what tools and permissions are named after. */
  readonly name: string;
  /** The settings file it comes from, as it is shown to people. */
  readonly source: string;
  readonly transport: McpTransport;
  /** `memory`: what it offers is a fourth tier, looked at on demand only. */
  readonly tier?: "memory" | undefined;
  /** The tool whose result is the list of memories; without it, the resources are. */
  readonly memoryTool?: string | undefined;
  /** SHA-256 of all that decides what is started: what is known of one server is never taken for another's. */
  readonly fingerprint: string;
}

/** How a server is reached. */
export type McpTransport =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      /** The whole environment of the process: nothing else is handed on. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };
