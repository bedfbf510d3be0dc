import type { Environment } from "@caliban/common";
import type { SandboxPolicy } from "./sandbox-policy.ts";

/** Variables that lead to services which the sandbox hides: without them, programs do not try. */
const SERVICES: ReadonlySet<string> = new Set([
  "DBUS_SESSION_BUS_ADDRESS",
  "DISPLAY",
  "DOCKER_HOST",
  "GPG_AGENT_INFO",
  "SSH_AUTH_SOCK",
  "WAYLAND_DISPLAY",
  "XDG_RUNTIME_DIR",
]);

const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/** The environment of a command in a sandbox. `temporary` is where it sees its temporary directory. */
export function sandboxEnvironment(
  env: Environment,
  { network }: Pick<SandboxPolicy, "network">,
  temporary: string,
): Environment {
  const kept = Object.entries(env).filter(([name]) => !SERVICES.has(name));
  return {
    ...Object.fromEntries(kept),
    TMPDIR: temporary,
    // Commands that only look must not fail because they cannot refresh the index.
    GIT_OPTIONAL_LOCKS: "0",
    ...(network.kind === "off" ? {} : proxyVariables(network)),
  };
}

/** Variables that make a program load code before it starts. */
const LOADER = /^(?:LD_|GCONV_PATH$|GLIBC_TUNABLES$|LOCPATH$|NLSPATH$|BASH_ENV$|ENV$)/;

/**
 * Splits an environment into what the launcher of a sandbox may have, and what only the command inside may have: a command
 * could otherwise write a library to the workspace that the next launcher loads outside of the sandbox.
 */
export function splitLoaderVariables(env: Environment): {
  readonly launcher: Environment;
  readonly inside: Readonly<Record<string, string>>;
} {
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    launcher: Object.fromEntries(entries.filter(([name]) => !LOADER.test(name))),
    inside: Object.fromEntries(entries.filter(([name]) => LOADER.test(name))),
  };
}

function proxyVariables({
  port,
  directHosts,
}: Extract<SandboxPolicy["network"], { readonly kind: "proxy" }>): Environment {
  const url = `http://127.0.0.1:${port}`;
  const variables = [
    ...PROXY_VARIABLES.map((name) => [name, url] as const),
    ["NO_PROXY", directHosts.join(",")] as const,
  ];
  return {
    ...Object.fromEntries(variables),
    ...Object.fromEntries(variables.map(([name, value]) => [name.toLowerCase(), value])),
    NODE_USE_ENV_PROXY: "1",
  };
}
