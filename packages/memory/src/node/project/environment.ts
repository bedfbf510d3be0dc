import { platform as platformOfMachine } from "node:os";
import { type Environment, isAbsolutePath, pathStyleOf } from "@caliban/common";
import type { ResolvedEnvironment } from "./identity.ts";

/** The machine as far as a caller names it. */
export interface EnvironmentOptions {
  /** Such as `process.env`: nothing is read from the environment but through this. */
  readonly env: Environment;
  /** Such as `process.platform`, which it is when left out. */
  readonly platform?: string | undefined;
  /** The person's home directory. Without it, what `env` says: HOME, on Windows USERPROFILE. */
  readonly home?: string | undefined;
}

/** The same with everything that was left out. */
export function resolveEnvironment({
  env,
  platform = platformOfMachine(),
  home = homeOf(env, platform),
}: EnvironmentOptions): ResolvedEnvironment {
  return { env, platform, home };
}

function homeOf(env: Environment, platform: string): string | undefined {
  const style = pathStyleOf(platform);
  const home = env[style === "windows" ? "USERPROFILE" : "HOME"];
  return home !== undefined && isAbsolutePath(style, home) ? home : undefined;
}
