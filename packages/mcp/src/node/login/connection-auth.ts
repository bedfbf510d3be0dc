import { auth, type AuthProvider, OAuthError } from "@modelcontextprotocol/client";
import { ServerFailure } from "../../client/server-failure.ts";
import { createOAuthProvider } from "./oauth-provider.ts";
import type { LoginStore } from "./login-store.ts";

export interface ConnectionAuthInput {
  readonly server: string;
  readonly store: LoginStore;
  readonly clientId?: string | undefined;
}

/**
 * Sends the token of a login, and refreshes it when the server refuses it. It never starts a login: a server that wants
 * one is not registered with and not asked anything before the user runs the command.
 */
export function createConnectionAuth({
  server,
  store,
  clientId,
}: ConnectionAuthInput): AuthProvider {
  const loginNeeded = (why: string): ServerFailure =>
    new ServerFailure(
      "REFUSED",
      `${why}; run: caliban mcp login ${server} (or set token_env to the variable that holds its token)`,
    );
  const tokenOf = (): string | undefined => {
    const token = store.read().tokens?.["access_token"];
    return typeof token === "string" ? token : undefined;
  };
  let refused: string | undefined;
  const provider = createOAuthProvider({
    store,
    clientId,
    redirectUrl: UNUSED_REDIRECT,
    onRedirect: () => {
      throw loginNeeded("the login has ended");
    },
  });
  return {
    token: async () => tokenOf(),
    onUnauthorized: async ({ serverUrl, fetchFn }) => {
      const token = tokenOf();
      if (token === undefined) throw loginNeeded("needs a login");
      // Another process may have refreshed it, so the one that is stored is tried first.
      if (token !== refused && refused !== undefined) {
        refused = token;
        return;
      }
      refused = token;
      if (store.read().tokens?.["refresh_token"] === undefined)
        throw loginNeeded("the login has ended");
      try {
        await auth(provider, { serverUrl, fetchFn });
      } catch (error) {
        if (error instanceof OAuthError) throw loginNeeded("the login cannot be renewed");
        throw error;
      }
    },
  };
}

/** No browser comes back to a connection. It must be there, because a client without it logs in by itself. */
const UNUSED_REDIRECT = "http://127.0.0.1/callback";
