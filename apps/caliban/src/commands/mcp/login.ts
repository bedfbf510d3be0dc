import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { isLoginError, logIn } from "@caliban/mcp/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { listenForInterrupt } from "../interruption.ts";
import { findLoginServer, type LoginServer } from "./login-server.ts";

/** `caliban mcp login NAME`: logs in to one of the user's servers in a browser. */
export async function logInToServer(invocation: Invocation): Promise<CommandResult> {
  const found = await findLoginServer(invocation);
  if ("result" in found) return found.result;
  const interruption = listenForInterrupt(invocation.host);
  try {
    await logInTo(found, invocation, interruption.ended);
  } catch (error) {
    if (!isLoginError(error)) throw error;
    return {
      stdout: "",
      stderr: [...found.warnings, `${found.name}: ${error.message}`],
      exitCode: interruption.exitCode() ?? EXIT.failed,
    };
  } finally {
    interruption.stop();
  }
  const { name, warnings } = found;
  const text = `logged in to ${name}; it is used from the next start of the server\n`;
  return {
    stdout: invocation.json ? `${terminalSafeJson({ kind: "logged-in", name })}\n` : text,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

async function logInTo(
  { transport, store }: LoginServer,
  { host, options }: Invocation,
  interrupted: Promise<void>,
): Promise<void> {
  const { url, clientId } = transport;
  await logIn({
    url,
    store,
    clientId,
    interrupted,
    show: async (address) => {
      const isOpen = options["open"] !== false && (await openInBrowser(host, address));
      const where = terminalSafeLine(new URL(address).host);
      if (isOpen) host.report(`log in at ${where} in your browser, and come back`);
      else host.report(`log in at ${where} with this address, and come back:`);
      // With a state that ends with this process, and no token.
      if (!isOpen) host.stderr(`${terminalSafeLine(address)}\n`);
    },
  });
}

async function openInBrowser(host: Invocation["host"], address: string): Promise<boolean> {
  const { openBrowser } = await import("@caliban/page/node");
  return await openBrowser({ platform: host.platform, env: host.env, path: address });
}
