import type { McpServer } from "../client/mcp-server.ts";

/** A server as its settings say, with everything that a person should know before it is started. */
export interface ResolvedServer {
  /** Its fingerprint is of the settings alone; that of a wish that was approved is of files, too. */
  readonly server: McpServer;
  /** A wish comes with the repository, and is nothing before it is approved. */
  readonly isRequested: boolean;
  /** What the settings put into its environment, by names. */
  readonly setVariables: Readonly<Record<string, string>>;
  /** Variables of the person's that it gets, or whose text is sent to it. */
  readonly passedVariables: readonly string[];
  /** How long one call may take. */
  readonly timeoutSeconds: number;
  /** What is to be said although it can be started, one a line. */
  readonly notes: readonly string[];
}

/** One that cannot be started, and why. */
export interface UnusableServer {
  readonly name: string;
  readonly source: string;
  readonly isRequested: boolean;
  /** Turned off by its settings; else something is wrong. */
  readonly isOff: boolean;
  /** A sentence without its stop. */
  readonly reason: string;
}
