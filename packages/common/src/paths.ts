/** How a platform writes paths, so that Windows paths can be computed and tested anywhere. */
export type PathStyle = "posix" | "windows";

/** The style of paths on a Node platform name. */
export function pathStyleOf(platform: string): PathStyle {
  return platform === "win32" ? "windows" : "posix";
}

/** Joins names below a directory. The names are constants or validated segments, never `..`. */
export function joinPath(style: PathStyle, directory: string, ...names: readonly string[]): string {
  const separator = style === "windows" ? "\\" : "/";
  const base = isRootDirectory(style, directory)
    ? directory.slice(0, -1)
    : withoutTrailingSeparators(style, directory);
  return [base, ...names].join(separator);
}

/** Whether a path does not depend on the current directory. */
export function isAbsolutePath(style: PathStyle, path: string): boolean {
  if (style === "posix") return path.startsWith("/");
  return /^[a-z]:[\\/]/i.test(path) || path.startsWith("\\\\");
}

/** Replaces a leading `~` or `~/` by the home directory. */
export function expandTilde(style: PathStyle, path: string, home: string | undefined): string {
  if (home === undefined) return path;
  if (path === "~") return home;
  const isBelowHome = path.startsWith("~/") || (style === "windows" && path.startsWith("~\\"));
  return isBelowHome ? joinPath(style, home, path.slice(2)) : path;
}

/** Shortens a path below the home directory to `~/…`, for display. */
export function abbreviateHome(style: PathStyle, path: string, home: string | undefined): string {
  if (home === undefined || isRootDirectory(style, home)) return path;
  const base = withoutTrailingSeparators(style, home);
  if (path === base) return "~";
  const separator = style === "windows" ? "\\" : "/";
  return path.startsWith(base + separator) ? `~${path.slice(base.length)}` : path;
}

function isRootDirectory(style: PathStyle, path: string): boolean {
  return style === "posix" ? path === "/" : /^[a-z]:[\\/]$/i.test(path);
}

function withoutTrailingSeparators(style: PathStyle, path: string): string {
  return path.replace(style === "posix" ? /\/+$/ : /[\\/]+$/, "");
}
