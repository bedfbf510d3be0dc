import { spawn } from "node:child_process";

export interface OpenBrowserInput {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file to open. */
  readonly path: string;
}

/** Opens a file in the user's browser. False if there is none, as on a machine without a screen. */
export async function openBrowser({ platform, env, path }: OpenBrowserInput): Promise<boolean> {
  const hasScreen =
    platform === "darwin" ||
    platform === "win32" ||
    ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].some((name) => (env[name] ?? "") !== "");
  if (!hasScreen) return false;
  const [command, ...args] = OPENERS[platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, path], { env, stdio: "ignore", detached: true });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.once("error", () => resolve(false));
  // Some openers stay for as long as the browser runs.
  const timer = setTimeout(() => resolve(true), MAX_WAIT_MS);
  child.once("exit", (code) => resolve(code === 0));
  const isOpen = await promise;
  clearTimeout(timer);
  child.unref();
  return isOpen;
}

const MAX_WAIT_MS = 3_000;

/** Programs that open a file with what the user chose for it. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]] | undefined>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
