import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { createProtocolServer, type OpenMemory, type ProtocolServerInput } from "@caliban/mcp";
import { loadServerToken, ServeError, serveHttp, type ServingHttp } from "@caliban/mcp/node";
import type { Host } from "../../host.ts";
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
  const { invocation, isReadOnly, report, port, interrupted } = input;
  const { host } = invocation;
  const { path, token } = await asUsageError(() => loadServerToken(host));
  const open = await input.open();
  const serving = await asUsageError(() =>
    serveHttp({
      port,
      token,
      report,
      createServer: (requests) =>
        createProtocolServer({
          ...input,
          instructions: { isReadOnly, offBy: open.memory.offBy },
          open: async () => open,
          requests,
        }),
    }),
  );
  report(listening(serving, path, host));
  await interrupted;
  await serving.close();
  open.changes.stop();
}

function listening({ url }: ServingHttp, path: string, { platform, home }: Host): string {
  return `listening on ${url}; the bearer token is in ${abbreviateHome(pathStyleOf(platform), path, home)}`;
}

async function asUsageError<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof ServeError) throw new UsageError(error.message);
    throw error;
  }
}
