import { userDirectories } from "@caliban/common";
import { createLoginStore, type LoginStore, type McpTransport } from "@caliban/mcp/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { openConfiguredServers, serverNotFound } from "./configured-servers.ts";

/** A server of the user's that a login can be for. */
export interface LoginServer {
  readonly name: string;
  readonly transport: Extract<McpTransport, { readonly kind: "http" }>;
  readonly store: LoginStore;
  readonly warnings: readonly string[];
}

/** Finds the server that the command names, or returns why there can be no login. */
export async function findLoginServer(
  invocation: Invocation,
): Promise<LoginServer | { readonly result: CommandResult }> {
  const { host } = invocation;
  const [name = ""] = invocation.operands;
  const { servers, warnings } = await openConfiguredServers(invocation);
  const refused = (message: string): { readonly result: CommandResult } => ({
    result: { stdout: "", stderr: [...warnings, message], exitCode: EXIT.failed },
  });
  const found = servers.find(({ server }) => server.name === name);
  if (found === undefined) {
    const known = servers.map(({ server }) => server.name);
    return { result: serverNotFound(invocation, name, { known, warnings }) };
  }
  const { transport } = found.server;
  if (found.isRequested) {
    const add = host.command("mcp add");
    return refused(
      `${name} is requested by this repository, which gets no login of yours; to use one, add the server to your settings with: ${add}`,
    );
  }
  if (transport.kind !== "http")
    return refused(`${name} is a program, which logs in by itself; a login is for a url`);
  const [variable] = found.passedVariables;
  if (variable !== undefined)
    return refused(`${name} gets its token from ${variable}; remove token_env to log in instead`);
  const { state: stateDirectory } = userDirectories(host);
  if (stateDirectory === undefined)
    return refused("no home directory found to store a login in; set HOME or XDG_STATE_HOME");
  const store = createLoginStore({ stateDirectory, name, url: transport.url });
  return { name, transport, store, warnings };
}
