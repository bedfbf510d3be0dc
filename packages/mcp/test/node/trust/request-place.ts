import { join } from "node:path";
import type { ServerSettings } from "@caliban/settings";
import { defaultSettings } from "@caliban/settings/node";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { type ResolvedServers, resolveServers } from "../../../src/node/trust/resolve-servers.ts";
import type { ResolvedServer } from "../../../src/trust/resolved-server.ts";

/** What a repository may wish for in a test, and what the person has. */
export interface WishPlace {
  readonly root: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly own?: Readonly<Record<string, ServerSettings>>;
}

/** A workspace with files in it. */
export async function workspaceWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = await temporaryDirectory();
  await writeFiles(root, { ".caliban/settings.toml": "", ...files });
  return root;
}

/** What becomes of the servers that a repository wishes for. */
export function resolveWishes(
  wishes: Readonly<Record<string, ServerSettings>>,
  { root, env = { PATH: "/usr/bin:/bin" }, own = {} }: WishPlace,
): ResolvedServers {
  const values = { "mcp.servers": own, providers: { mine: { api_key_env: "MY_MODEL_KEY" } } };
  const where = join(root, ".caliban/settings.toml");
  return resolveServers({
    settings: {
      trusted: { ...DEFAULTS, ...values },
      effective: [
        { key: "mcp.servers", value: own, origins: [{ source: "user", where: "/home/me/s.toml" }] },
      ],
      wishes: Object.entries(wishes).map(([name, settings]) => ({ name, settings, where })),
    },
    env,
    platform: "linux",
    home: "/home/me",
    workspaceRoot: root,
  });
}

const { trusted: DEFAULTS } = defaultSettings();

/** The one server that a repository wishes for. */
export function wishFor(settings: ServerSettings, place: WishPlace): ResolvedServer {
  const { servers, unusable } = resolveWishes({ tools: settings }, place);
  const [wish] = servers;
  if (wish === undefined) throw new Error(unusable[0]?.reason);
  return wish;
}
