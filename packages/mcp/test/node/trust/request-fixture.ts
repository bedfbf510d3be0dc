import { join } from "node:path";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { resolveServers } from "../../../src/node/trust/resolve-servers.ts";
import type {
  ResolvedServer,
  ResolvedServers,
  ServerConfig,
} from "../../../src/trust/server-entry.ts";

export interface RequestFixture {
  readonly root: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Servers in the user's own settings. */
  readonly own?: Readonly<Record<string, ServerConfig>>;
}

/** A workspace with files in it. */
export async function workspaceWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = await temporaryDirectory();
  await writeFiles(root, { ".caliban/settings.toml": "", ...files });
  return root;
}

/** Resolves the servers that a repository requests, after the user's own. */
export function resolveRequests(
  requests: Readonly<Record<string, ServerConfig>>,
  { root, env = { PATH: "/usr/bin:/bin" }, own = {} }: RequestFixture,
): ResolvedServers {
  const source = join(root, ".caliban/settings.toml");
  return resolveServers({
    entries: [
      ...Object.entries(own).map(([name, config]) => ({
        name,
        config,
        source: "~/s.toml",
        isRequested: false,
      })),
      ...Object.entries(requests).map(([name, config]) => ({
        name,
        config,
        source,
        isRequested: true,
      })),
    ],
    protectedVariables: ["ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY", "MY_MODEL_KEY"],
    env,
    platform: "linux",
    home: "/home/me",
    workspaceRoot: root,
  });
}

/** The one server that a repository requests. */
export function requestFor(config: ServerConfig, fixture: RequestFixture): ResolvedServer {
  const { servers, unusable } = resolveRequests({ tools: config }, fixture);
  const [request] = servers;
  if (request === undefined) throw new Error(unusable[0]?.reason);
  return request;
}
