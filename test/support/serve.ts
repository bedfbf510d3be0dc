import { once } from "node:events";
import { onTestFinished } from "vitest";
import type { TestHome } from "./run-caliban.ts";

export interface ServingProcess {
  /** `http://127.0.0.1:50123` */
  readonly url: string;
  readonly pid: number;
  readonly stderr: () => string;
  /** Ends it as Ctrl-C does. */
  readonly stop: () => Promise<{ readonly exitCode: number | null; readonly stderr: string }>;
}

/** Starts `caliban serve`, and waits for its address. */
export async function startServing(
  user: Pick<TestHome, "start">,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServingProcess> {
  const { child, ended } = user.start(["serve", ...args], { env });
  let printed = "";
  let stderr = "";
  child.stderr?.on("data", (chunk) => (stderr += String(chunk)));
  while (!printed.includes("\n") && child.stdout !== null) {
    const [chunk] = (await Promise.race([
      once(child.stdout, "data"),
      ended.then((result) => Promise.reject(new Error(result.stderr))),
    ])) as [Buffer];
    printed += String(chunk);
  }
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    url: printed.trim(),
    pid: child.pid ?? 0,
    stderr: () => stderr,
    stop: async () => {
      child.kill("SIGINT");
      return await ended;
    },
  };
}

/** Makes a token for a client. */
export async function addToken(
  user: Pick<TestHome, "run">,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly token: string; readonly stores: readonly string[] }> {
  const { stdout, stderr, exitCode } = await user.run(
    ["serve", "token", "add", ...args, "--json"],
    {
      env,
    },
  );
  if (exitCode !== 0) throw new Error(stderr);
  const added = JSON.parse(stdout) as {
    readonly token: string;
    readonly stores: readonly { readonly id: string }[];
  };
  return { token: added.token, stores: added.stores.map(({ id }) => id) };
}

/** Lets clients change memory without asking the user. */
export const WRITES_ALLOWED = { ".config/caliban/settings.toml": '[memory]\nwrite = "allow"\n' };

/** Limits that no test reaches. */
export const UNLIMITED = ["requests-per-second", "changes-per-minute", "changes-per-hour"].flatMap(
  (name) => [`--${name}`, "1000000"],
);
