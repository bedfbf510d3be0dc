import { platform as currentPlatform } from "node:os";
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
  // oxlint-disable-next-line no-restricted-globals -- the default for other programs; caliban passes its environment
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
