import type { Environment } from "@caliban/common";

/** What hardly any program works without. Nothing here is a secret. */
const POSIX =
  "HOME LANG LANGUAGE LC_ALL LC_CTYPE LOGNAME PATH SHELL TERM TMPDIR TZ USER XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME";
const WINDOWS =
  "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE";

/** The variables that every server is started with, whatever its settings say. */
export function baseEnvironment(
  env: Environment,
  platform: string,
): Readonly<Record<string, string>> {
  const wanted = (platform === "win32" ? WINDOWS : POSIX).split(" ");
  const known = platform === "win32" ? caseless(wanted) : new Set(wanted);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) => {
      const isWanted = known.has(platform === "win32" ? name.toUpperCase() : name);
      // A text that begins like this is a function of a shell, which some shells would run.
      return isWanted && text !== undefined && !text.startsWith("()") ? [[name, text]] : [];
    }),
  );
}

/** Windows writes `Path` and means `PATH`. */
function caseless(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toUpperCase()));
}
