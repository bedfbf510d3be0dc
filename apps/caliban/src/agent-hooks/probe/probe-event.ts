import { appendFileSync } from "node:fs";
import type { Environment } from "@caliban/common";
import type { HookAnswer } from "../event/render-answer.ts";

/** Set by `caliban doctor --hooks` for the agent that it starts, which passes them on to its hooks. */
export const PROBE_NONCE = "CALIBAN_HOOK_PROBE";
export const PROBE_FILE = "CALIBAN_HOOK_PROBE_FILE";

/** The answer of a hook that is only tested; `undefined` outside of a test. */
export function probeAnswer(env: Environment, eventName: string): HookAnswer | undefined {
  const [nonce, file] = [env[PROBE_NONCE], env[PROBE_FILE]];
  if (nonce === undefined || file === undefined || !/^[\da-f]{16,64}$/.test(nonce))
    return undefined;
  const ms = Math.round(performance.now());
  appendFileSync(file, `${eventName.replaceAll(/\W/g, "")} ${ms}\n`, { mode: 0o600 });
  return { context: probeText(nonce, eventName) };
}

/** What the model must receive. */
export function probeText(nonce: string, eventName: string): string {
  return `caliban-hook-probe:${nonce}:${eventName}`;
}
