import { platform as currentPlatform } from "node:os";
// oxlint-disable-next-line no-restricted-imports -- the default for programs that pass no environment; caliban passes one
import process from "node:process";
import { type Environment, isAbsolutePath, pathStyleOf } from "@caliban/common";

/** The environment that decides where memory is. Everything has a default. */
export interface EnvironmentOptions {
  /** The environment variables; `process.env` by default. */
  readonly env?: Environment | undefined;
  /** Such as `linux`; that of this machine by default. */
  readonly platform?: string | undefined;
  /** The user's home directory. By default HOME of `env`, or USERPROFILE on Windows. */
  readonly home?: string | undefined;
}

/** The same, complete. */
export interface ResolvedEnvironment {
  readonly env: Environment;
  readonly platform: string;
  /** The user's home directory; `undefined` when none is known. */
  readonly home: string | undefined;
}

export function resolveEnvironment({
  env = process.env,
  platform = currentPlatform(),
  home = homeIn(env, platform),
}: EnvironmentOptions): ResolvedEnvironment {
  return { env, platform, home };
}

function homeIn(env: Environment, platform: string): string | undefined {
  const style = pathStyleOf(platform);
  const home = env[style === "windows" ? "USERPROFILE" : "HOME"];
  return home !== undefined && isAbsolutePath(style, home) ? home : undefined;
}
