import { utf8Bytes } from "@caliban/common";

/**
 * Files of the tool are topics. `deploy.md` is the topic `deploy`. Any other path becomes a name that starts with
 * `memories__` and has `__` for each slash, so that people can read it: `projects/app/notes.txt` is the topic
 * `memories__projects__app__notes.txt`. `.md` is left out, `__` at the end means that nothing was left out, and a
 * character that no name of a topic can have is `_x` with its code and `_`.
 */
const PREFIX = "memories__";
const MARKDOWN = ".md";
const MAX_NAME_BYTES = 100;

/** The name of the topic of a path. */
export function topicNameOf(path: string): string {
  const stem = plainStem(path);
  return stem !== undefined && isPlain(stem) ? stem : escapePath(path);
}

/** The path of a topic. Topics that other tools wrote are Markdown files. */
export function pathOf(name: string): string {
  const path = name.startsWith(PREFIX) ? unescapePath(name.slice(PREFIX.length)) : undefined;
  return path !== undefined && topicNameOf(path) === name ? path : `${name}${MARKDOWN}`;
}

/**
 * The name of a topic that another program gave this path, although no new topic could have the name. `undefined` if there
 * is no such name.
 */
export function foreignNameOf(path: string): string | undefined {
  const stem = plainStem(path);
  return stem !== undefined && topicNameOf(path) !== stem && pathOf(stem) === path
    ? stem
    : undefined;
}

/** Whether a store would refuse a new topic with this name. */
export function isTooLong(name: string): boolean {
  return utf8Bytes(name) > MAX_NAME_BYTES;
}

/** The name of a Markdown file that is directly in the directory. */
function plainStem(path: string): string | undefined {
  return /^[^/]+\.md$/.test(path) ? path.slice(0, -MARKDOWN.length) : undefined;
}

// What the store accepts as the name of a new topic, apart from its length.
const PLAIN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]*[\p{L}\p{M}\p{N}_-])?$/u;
const RESERVED =
  /^(?:memory|global|project|(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\..*)?|memories__.*|.*\.md|.*\.\..*)$/is;

function isPlain(stem: string): boolean {
  return PLAIN.test(stem) && !RESERVED.test(stem);
}

// Names that end like this are kept as they are; `.md` is added to all others.
const EXTENSION = /\.(?!md$)[a-z][a-z0-9]{0,9}$/i;
const LOOKS_LIKE_EXTENSION = /\.[a-z][a-z0-9]{0,9}$/i;

function escapePath(path: string): string {
  const isMarkdown = /[^/]\.md$/.test(path);
  const stem = isMarkdown ? path.slice(0, -MARKDOWN.length) : path;
  // A stem such as `a.txt` of `a.txt.md` must not look like a name with its extension.
  const hidden = isMarkdown && LOOKS_LIKE_EXTENSION.test(stem) ? stem.lastIndexOf(".") : -1;
  let escaped = isMarkdown || EXTENSION.test(stem) ? "" : "__";
  let at = stem.length;
  // From the end, because the next character decides whether an underscore or a dot can be kept.
  for (const character of Array.from(stem).toReversed()) {
    at -= character.length;
    const isKept = at !== hidden && canKeep(character, escaped);
    escaped = `${character === "/" ? "__" : isKept ? character : escapeCharacter(character)}${escaped}`;
  }
  return `${PREFIX}${escaped}`;
}

function canKeep(character: string, next: string): boolean {
  if (character === "_") return next !== "" && !/^(?:_|x[0-9a-f]{1,6}_)/i.test(next);
  if (character === ".") return next !== "" && !next.startsWith(".");
  if (character === " ") return next !== "";
  return /^[\p{L}\p{M}\p{N}-]$/u.test(character);
}

function escapeCharacter(character: string): string {
  return `_x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}_`;
}

const TOKEN = /__|_x([0-9A-F]{1,6})_|[^]/gu;

function unescapePath(escaped: string): string {
  const isWhole = escaped.endsWith("__");
  const source = isWhole ? escaped.slice(0, -2) : escaped;
  const path = source.replaceAll(TOKEN, (token, code: string | undefined) => {
    if (token === "__") return "/";
    const point = Number.parseInt(code ?? "", 16);
    return code !== undefined && point <= 0x10_ff_ff ? String.fromCodePoint(point) : token;
  });
  return isWhole || EXTENSION.test(source) ? path : `${path}${MARKDOWN}`;
}
