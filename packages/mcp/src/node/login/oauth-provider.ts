import type {
  OAuthClientInformationMixed,
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { LoginStore } from "./login-store.ts";

export interface OAuthProviderInput {
  readonly store: LoginStore;
  /** From the settings, for a server whose authorization server registers no clients by itself. */
  readonly clientId?: string | undefined;
  /** Where the browser comes back to. */
  readonly redirectUrl: string;
  /** Binds the answer of the browser to this login. */
  readonly state?: string | undefined;
  /** Shows the user where to log in. */
  readonly onRedirect: (url: URL) => void | Promise<void>;
}

/** What the SDK needs to log in and to refresh tokens. Only tokens and the registration are kept. */
export function createOAuthProvider(input: OAuthProviderInput): OAuthClientProvider {
  const { store, clientId, redirectUrl, state, onRedirect } = input;
  let verifier = "";
  let discovery: Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>;
  let lastTokens: string | undefined;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: "caliban",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    ...(state === undefined ? {} : { state: () => state }),
    clientInformation: () =>
      clientId === undefined ? storedClient(store) : { client_id: clientId },
    saveClientInformation: async (client: OAuthClientInformationMixed) => {
      if (clientId === undefined) await store.write({ ...store.read(), client: { ...client } });
    },
    tokens: () => {
      const { tokens } = store.read();
      lastTokens = JSON.stringify(tokens);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK checks what it uses
      return tokens as StoredOAuthTokens | undefined;
    },
    saveTokens: async (tokens) => await store.write({ ...store.read(), tokens: { ...tokens } }),
    redirectToAuthorization: onRedirect,
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (found) => {
      discovery = found;
    },
    discoveryState: () => discovery,
    invalidateCredentials: async (scope) => {
      if (scope === "discovery") discovery = undefined;
      if (scope === "verifier" || scope === "discovery") return;
      const { client, tokens } = store.read();
      // Another process may have refreshed them in the meantime.
      const isNewer = scope === "tokens" && JSON.stringify(tokens) !== lastTokens;
      const keptClient = scope === "tokens" ? client : undefined;
      const keptTokens = isNewer || scope === "client" ? tokens : undefined;
      await store.write({ client: keptClient, tokens: keptTokens });
    },
  };
}

function storedClient(store: LoginStore): StoredOAuthClientInformation | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK checks what it uses
  return store.read().client as StoredOAuthClientInformation | undefined;
}
