import { randomBytes } from "node:crypto";
import { isLoopback } from "@caliban/common";
import { auth } from "@modelcontextprotocol/client";
import { CLIENT_LIMITS } from "../../client/client-limits.ts";
import { sanitizeLine } from "../../client/untrusted.ts";
import { createBoundedFetch } from "../http/bounded-fetch.ts";
import { startCallbackServer } from "./callback-server.ts";
import { isLoginError, LoginError } from "./login-error.ts";
import type { LoginStore } from "./login-store.ts";
import { createOAuthProvider } from "./oauth-provider.ts";

export interface LogInInput {
  readonly url: string;
  readonly store: LoginStore;
  /** From the settings, for a server whose authorization server registers no clients by itself. */
  readonly clientId?: string | undefined;
  /** Shows the user the address to log in at. */
  readonly show: (address: string) => void | Promise<void>;
  /** Ends the wait. */
  readonly interrupted: Promise<unknown>;
}

/** Long enough for a password manager and a second factor. */
const TIMEOUT_MS = 600_000;

/**
 * Logs in to a server with OAuth 2.1: the user approves in a browser, which comes back to this machine, and the code is
 * exchanged with a proof that only this process has. Stores the tokens.
 * @throws LoginError
 */
export async function logIn({
  url,
  store,
  clientId,
  show,
  interrupted,
}: LogInInput): Promise<void> {
  const state = randomBytes(32).toString("base64url");
  const callback = await startCallbackServer(state);
  try {
    const provider = createOAuthProvider({
      store,
      clientId,
      redirectUrl: callback.redirectUrl,
      state,
      onRedirect: async (address) => {
        refuseUnsafe(address);
        await show(address.href);
      },
    });
    // A new registration for each login, because the address to come back to is a new one.
    if (clientId === undefined) await store.write({ tokens: store.read().tokens });
    const step = async (params?: URLSearchParams): Promise<string> => {
      const code = params?.get("code") ?? undefined;
      return await auth(provider, {
        serverUrl: url,
        fetchFn: loginFetch,
        forceReauthorization: true,
        ...(code === undefined ? {} : { authorizationCode: code }),
        ...(params?.get("iss") == null ? {} : { iss: params.get("iss") ?? "" }),
      });
    };
    await withMessages(step);
    const params = await Promise.race([callback.returned, ended(interrupted), timeout()]);
    const problem = params.get("error");
    if (problem !== null || params.get("code") === null)
      throw new LoginError("DECLINED", `the login was declined: ${shown(problem ?? "no code")}`);
    await withMessages(() => step(params));
  } finally {
    callback.close();
  }
}

const loginFetch = createBoundedFetch({
  fetch: async (address, init) =>
    await fetch(address, { ...init, signal: init?.signal ?? AbortSignal.timeout(30_000) }),
  limits: { ...CLIENT_LIMITS, messageBytes: 1024 * 1024 },
  now: () => performance.now(),
  onCutOff: () => undefined,
});

/** A server names the address, so it must not be a script or a file. */
function refuseUnsafe(address: URL): void {
  if (address.protocol === "https:" || (address.protocol === "http:" && isLoopback(address)))
    return;
  const where = `${address.protocol}//${address.host}`;
  const message = `the server wants the login at an address that is not https: ${shown(where)}`;
  throw new LoginError("UNSAFE_ADDRESS", message);
}

async function withMessages<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (isLoginError(error) || !(error instanceof Error)) throw error;
    throw new LoginError("FAILED", `cannot log in: ${shown(error.message)}`, { cause: error });
  }
}

async function ended(interrupted: Promise<unknown>): Promise<never> {
  await interrupted;
  throw new LoginError("INTERRUPTED", "the login was interrupted");
}

async function timeout(): Promise<never> {
  await new Promise((resolve) => void setTimeout(resolve, TIMEOUT_MS).unref());
  throw new LoginError("TIMED_OUT", "no one logged in within ten minutes");
}

function shown(text: string): string {
  return sanitizeLine(text, 300);
}
