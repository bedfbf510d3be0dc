import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { createProtocolServer, type OpenMemory, type ProtocolServerInput } from "@caliban/mcp";
import { loadServerToken, isServeError, serveHttp } from "@caliban/mcp/node";
import { UsageError } from "../../usage-error.ts";
import type { ServedProjectInput } from "./served-project.ts";

export interface ServeProjectHttpInput
  extends ServedProjectInput, Pick<ProtocolServerInput, "version" | "describeProblem"> {
  readonly port: number;
  readonly open: () => Promise<OpenMemory>;
  readonly interrupted: Promise<void>;
}

/**
 * Serves any number of clients over HTTP on this machine until interrupted. Running requests are answered first.
 * @throws UsageError for a port that is not available, or a token file that cannot be used
 */
export async function serveProjectHttp(input: ServeProjectHttpInput): Promise<void> {
  try {
    await serve(input);
  } catch (error) {
    if (isServeError(error)) throw new UsageError(error.message);
    throw error;
  }
}

async function serve(input: ServeProjectHttpInput): Promise<void> {
  const { invocation, isReadOnly, report, port, interrupted } = input;
  const { platform, home } = invocation.host;
  const { path, token } = await loadServerToken(invocation.host);
  const open = await input.open();
  const instructions = { isReadOnly, offBy: open.memory.offBy };
  const serving = await serveHttp({
    port,
    token,
    report,
    createServer: (requests) =>
      createProtocolServer({ ...input, instructions, open: async () => open, requests }),
  });
  const shown = abbreviateHome(pathStyleOf(platform), path, home);
  report(`listening on ${serving.url}; the bearer token is in ${shown}`);
  await interrupted;
  await serving.close();
  open.changes.stop();
}
