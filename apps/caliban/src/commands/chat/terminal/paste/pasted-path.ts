const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;
const ABSOLUTE = /^(?:\/|~\/|file:\/\/|[A-Za-z]:[\\/])/;

/**
 * The path of an image that a pasted text consists of, as terminals spell a dropped file: in quotes, with backslashes
 * before special characters, or as a file address. `undefined` for any other text.
 */
export function pastedImagePath(pasted: string, platform: string): string | undefined {
  const text = pasted.trim();
  if (text === "" || text.length > 4_096 || /\p{Cc}/u.test(text)) return undefined;
  const path = plainPath(text, platform);
  return path !== undefined && IMAGE.test(path) && ABSOLUTE.test(path)
    ? fromAddress(path)
    : undefined;
}

function plainPath(text: string, platform: string): string | undefined {
  const quoted = /^(["'])(.+)\1$/.exec(text)?.[2];
  if (quoted !== undefined) return quoted;
  if (platform === "win32") return text;
  // A space without a backslash is in a sentence, not in a path.
  if (/(?<!\\)\s/.test(text)) return undefined;
  return text.replaceAll(/\\(.)/gu, "$1");
}

function fromAddress(path: string): string | undefined {
  if (!path.startsWith("file://")) return path;
  if (!URL.canParse(path)) return undefined;
  const { pathname, host } = new URL(path);
  if (host !== "" && host !== "localhost") return undefined;
  try {
    return decodeURIComponent(pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return undefined;
  }
}
