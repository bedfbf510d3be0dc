import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { parsePositiveInteger, terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { createStoreApi } from "@caliban/tools-builtin/store-api";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { listenForInterrupt } from "../interruption.ts";
import { abbreviatePath, resolveUserPath } from "../user-paths.ts";
import { openStores } from "./served-stores.ts";
import { createClientFinder } from "./server/find-client.ts";
import { type ClientLimits, DEFAULT_LIMITS } from "./server/request-limits.ts";
import { type RemoteAccess, startServer } from "./server/start-server.ts";
import { ADD_HINT } from "./tokens/manage-tokens.ts";
import { openTokenFile } from "./tokens/token-file.ts";

/** `caliban serve`: serves memory stores over HTTP until it is stopped. */
export async function serveStores(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const report = (line: string): void => host.report(terminalSafeLine(line));
  const [port, limits, remote] = [
    portOption(invocation),
    limitOptions(invocation),
    await remoteOption(invocation),
  ];
  const tokens = openTokenFile(host);
  if (tokens.read().length === 0) report(`no client has a token yet; add one with: ${ADD_HINT}`);
  const interruption = listenForInterrupt(host);
  const { stores, warnings } = await openStores(invocation);
  for (const warning of warnings) report(warning);
  const api = createStoreApi({ stores, sha256Hex, now: host.now, monotonicMs });
  const findClient = createClientFinder(tokens, report);
  const server = await startServer({ api, findClient, limits, port, remote, report });
  for (const { id, path } of stores) report(`serving ${abbreviatePath(host, path)} as ${id}`);
  report("press Ctrl-C to stop");
  // On stdout, so that a script can wait for it.
  host.stdout(`${server.url}\n`);
  await interruption.ended;
  await server.close();
  interruption.stop();
  return { stdout: "", exitCode: interruption.exitCode() ?? EXIT.done };
}

function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function monotonicMs(): number {
  return performance.now();
}

function portOption(invocation: Invocation): number {
  const text = textOption(invocation, "port");
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port <= 65_535) return port;
  throw new UsageError(`invalid port for --port: '${text}'; use 0 to 65535 (0 picks a free one)`);
}

function limitOptions(invocation: Invocation): ClientLimits {
  const limit = (name: keyof ClientLimits, flag: string): number => {
    const text = textOption(invocation, name);
    if (text === undefined) return DEFAULT_LIMITS[name];
    const value = parsePositiveInteger(text);
    if (value !== undefined) return value;
    throw new UsageError(`${flag} must be a positive integer, not ${JSON.stringify(text)}`);
  };
  return {
    requestsPerSecond: limit("requestsPerSecond", "--requests-per-second"),
    changesPerMinute: limit("changesPerMinute", "--changes-per-minute"),
    changesPerHour: limit("changesPerHour", "--changes-per-hour"),
  };
}

/** @throws UsageError unless all three options are given, or none */
async function remoteOption(invocation: Invocation): Promise<RemoteAccess | undefined> {
  const address = textOption(invocation, "listen");
  const [cert, key] = [textOption(invocation, "tlsCert"), textOption(invocation, "tlsKey")];
  if (address === undefined && cert === undefined && key === undefined) return undefined;
  if (address === undefined || cert === undefined || key === undefined)
    throw new UsageError("--listen, --tls-cert and --tls-key belong together: pass all three");
  if (isIP(address) === 0)
    throw new UsageError(`--listen takes an IP address, such as 0.0.0.0, not '${address}'`);
  const [certificate, secret] = await Promise.all([
    readPem(invocation, "--tls-cert", cert),
    readPem(invocation, "--tls-key", key),
  ]);
  const problem = findTlsProblem(certificate, secret);
  if (problem !== undefined) throw new UsageError(`--tls-cert and --tls-key: ${problem}`);
  return { address, certificate, key: secret };
}

/** Why a certificate and its key cannot be used. */
function findTlsProblem(cert: string, key: string): string | undefined {
  try {
    createSecureContext({ cert, key });
    return undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

async function readPem({ host }: Invocation, flag: string, path: string): Promise<string> {
  try {
    return await readFile(resolveUserPath(host, path), "utf8");
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw new UsageError(`${flag}: cannot read ${path}: ${code}`);
  }
}
