import { existsSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseJson } from "@caliban/common";
import { nodeDisk, readTextFile, removeIfExists, writeFileAtomic } from "@caliban/common/node";
import { shortHash } from "../../short-hash.ts";

/** What is stored about the login to one server, as the SDK knows it. */
export interface StoredLogin {
  /** The registration of this client with the authorization server. */
  readonly client?: Readonly<Record<string, unknown>> | undefined;
  readonly tokens?: Readonly<Record<string, unknown>> | undefined;
}

/** The login to one server of the user's, in a file that only the user can read. */
export interface LoginStore {
  readonly read: () => StoredLogin;
  readonly write: (login: StoredLogin) => Promise<void>;
  /** False if there was none. */
  readonly remove: () => Promise<boolean>;
  /** Every secret that this process has read or written, to be masked wherever texts are shown. */
  readonly secrets: () => readonly string[];
}

export interface LoginStoreInput {
  readonly stateDirectory: string;
  readonly name: string;
  /** Another address is another server, which gets no token of this one. */
  readonly url: string;
}

const VERSION = 1;
const MAX_BYTES = 64 * 1024;
/** The members of a login that are secrets. */
const SECRET_KEYS = ["access_token", "refresh_token", "id_token", "client_secret"] as const;

export function createLoginStore({ stateDirectory, name, url }: LoginStoreInput): LoginStore {
  const path = join(stateDirectory, "mcp-logins", `${name}-${shortHash(url)}.json`);
  const secrets = new Set<string>();
  const known = (login: StoredLogin): StoredLogin => {
    for (const part of [login.client, login.tokens]) {
      for (const key of SECRET_KEYS) {
        const value = part?.[key];
        if (typeof value === "string") secrets.add(value);
      }
    }
    return login;
  };
  return {
    // Read again each time, because another process may have refreshed the tokens.
    read: () => {
      const file = readTextFile(path, MAX_BYTES, { refuseLinks: true });
      return file.kind === "text" ? known(parseLogin(file.text, url)) : {};
    },
    write: async (login) => {
      known(login);
      await writeFileAtomic(path, `${JSON.stringify({ version: VERSION, url, ...login })}\n`);
    },
    remove: async () => {
      const isKnown = existsSync(path);
      await removeIfExists(nodeDisk, path);
      return isKnown;
    },
    secrets: () => [...secrets],
  };
}

/** A damaged file, or one of another address, counts as none. */
function parseLogin(text: string, url: string): StoredLogin {
  const file = parseJson(text);
  if (!isRecord(file) || file["version"] !== VERSION || file["url"] !== url) return {};
  const { client, tokens } = file;
  return {
    ...(isRecord(client) ? { client } : {}),
    ...(isRecord(tokens) ? { tokens } : {}),
  };
}
