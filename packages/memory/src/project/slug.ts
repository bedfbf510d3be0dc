import { utf8Bytes } from "@caliban/common";

const MAX_SLUG_BYTES = 200;
const HASH_CHARACTERS = 8;

/** SHA-256 of a text as lower-case hex. Injected, because the pure half cannot hash. */
export type Sha256Hex = (text: string) => string;

/** The directory name of a workspace's memory, from the real path of its root. */
export function workspaceSlug(realPath: string, sha256Hex: Sha256Hex): string {
  const slug = withForwardSlashes(realPath)
    .replace(/^\/+/, "")
    .replaceAll("/", "-")
    // With the u flag a match is a code point, so an emoji becomes one underscore.
    .replace(/[^A-Za-z0-9._-]/gu, "_");
  if (slug === "") return "root";
  if (utf8Bytes(slug) <= MAX_SLUG_BYTES) return slug;
  // Only ASCII is left, so bytes and characters are the same here.
  const kept = slug.slice(0, MAX_SLUG_BYTES - HASH_CHARACTERS - 1);
  return `${kept}-${sha256Hex(realPath).slice(0, HASH_CHARACTERS)}`;
}

/** On POSIX a backslash is an ordinary character; only a drive or a share begins a Windows path. */
function withForwardSlashes(path: string): string {
  if (!/^(?:[A-Za-z]:[\\/]|\\\\)/.test(path)) return path;
  return path.replaceAll("\\", "/").replace(/^([A-Za-z]):/, "$1");
}
