import { hasSecretQuery, looksSecret } from "./secret-texts.ts";
import type { Oddity } from "./named-tables.ts";
import type { ServerSettings } from "./server-keys.ts";

/** What is odd about a server: keys without effect, and what looks like a secret. No value is ever repeated. */
export function serverOddities(name: string, server: ServerSettings): readonly Oddity[] {
  return [...shapeOf(name, server), ...secretsOf(name, server)];
}

function shapeOf(name: string, server: ServerSettings): readonly Oddity[] {
  const { command, url, enabled } = server;
  if (enabled === false) return [];
  const whole = `mcp.servers.${name}`;
  if (command === undefined && url === undefined)
    return [without([], `${whole} has neither command nor url, so there is nothing to start.`)];
  if (command !== undefined && url !== undefined)
    return [without(["url"], `${whole} has both command and url, so it is not used; keep one.`)];
  const idle = command === undefined ? ONLY_FOR_COMMANDS : ONLY_FOR_URLS;
  const other = command === undefined ? "command" : "url";
  return [
    ...idle
      .filter((key) => server[key] !== undefined)
      .map((key) => without([key], `${whole}.${key} has no effect without ${other}.`)),
    ...(server.memory_tool !== undefined && server.tier === undefined
      ? [without(["memory_tool"], `${whole}.memory_tool has no effect without tier = "memory".`)]
      : []),
  ];
}

const ONLY_FOR_COMMANDS = ["args", "env", "pass_env", "cwd"] as const;
const ONLY_FOR_URLS = ["token_env"] as const;

function without(below: readonly string[], message: string): Oddity {
  return { below, code: "NO_EFFECT", message };
}

function secretsOf(name: string, { env = {}, args = [], url }: ServerSettings): readonly Oddity[] {
  const whole = `mcp.servers.${name}`;
  const variables = Object.entries(env).flatMap(([variable, text]): readonly Oddity[] => {
    const below = ["env", variable];
    if (/^\$(?:\w+|\{[^}]*\})$/.test(text)) {
      const message = `${whole}.env.${variable} is handed on as it is written: variables are not put in. Name it in pass_env instead.`;
      return [{ below, code: "NO_EFFECT", message }];
    }
    if (!looksSecret(variable, text)) return [];
    const message = `${whole}.env.${variable} looks like a secret. Keep it in your environment and name it in pass_env, as in pass_env = ["${variable}"].`;
    return [{ below, code: "KEY_IN_SETTINGS", message }];
  });
  const argument = args.some(isSecretArgument) ? [secretIn("args", `${whole}.args`)] : [];
  const isInQuery = hasSecretQuery(url ?? "");
  return [...variables, ...argument, ...(isInQuery ? [secretIn("url", `${whole}.url`)] : [])];
}

function isSecretArgument(text: string): boolean {
  const [, option = "", value = text] = /^--?([\w-]+)=([^]*)$/.exec(text) ?? [];
  return looksSecret(option, value);
}

function secretIn(key: "args" | "url", shown: string): Oddity {
  const instead = key === "url" ? "token_env" : "pass_env, if the server can read a variable";
  const message = `${shown} holds what looks like a secret. Keep it in your environment and use ${instead}.`;
  return { below: [key], code: "KEY_IN_SETTINGS", message };
}
