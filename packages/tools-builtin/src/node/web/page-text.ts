import { FileToolError } from "../file-tool-error.ts";
import type { MarkdownPage } from "../../web/html-to-markdown.ts";
import { describeBinary } from "../files/binary-kind.ts";
import type { FetchedPage } from "./request-page.ts";

/** Returns the text of a page: HTML as Markdown, other text as it is. */
export async function pageText({ url, contentType, body }: FetchedPage): Promise<MarkdownPage> {
  const [type = ""] = contentType.toLowerCase().split(";", 1);
  const charset = charsetOf(contentType) ?? metaCharset(body);
  rejectBinary({ type: type.trim(), body, charset });
  const text = decode(body, charset);
  if (!isHtml(type.trim(), text)) return { title: "", text };
  const { htmlToMarkdown } = await import("../../web/html-to-markdown.ts");
  return htmlToMarkdown(text, url.href);
}

const TEXT_TYPE =
  /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|yaml|toml|javascript|ecmascript|typescript|sql|graphql|xhtml|x-sh|x-yaml|x-ndjson|ndjson|jsonl|json5|x-www-form-urlencoded|rtf))$/;

/** Servers often send this for text that they do not know. */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set(["", "application/octet-stream"]);

interface PageBytes {
  readonly type: string;
  readonly body: Buffer;
  readonly charset: string | undefined;
}

function rejectBinary({ type, body, charset }: PageBytes): void {
  const isUtf16 = /^utf-?16/i.test(charset ?? "");
  const found = isUtf16 ? undefined : describeBinary(body);
  if (found === undefined && (TEXT_TYPE.test(type) || UNKNOWN_TYPES.has(type))) return;
  const kind = UNKNOWN_TYPES.has(type) || TEXT_TYPE.test(type) ? found?.split(",", 1)[0] : type;
  throw new FileToolError(
    "NOT_TEXT",
    `The page is ${kind?.slice(0, 100) ?? "binary"}, and WebFetch shows only text. To save it to a file, use curl in Bash.`,
  );
}

function isHtml(type: string, text: string): boolean {
  if (type === "text/html" || type === "application/xhtml+xml") return true;
  return UNKNOWN_TYPES.has(type) && /^\s*<(?:!doctype html|html)/i.test(text.slice(0, 1_000));
}

function charsetOf(text: string): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1];
}

const META_BYTES = 1_024;

function metaCharset(body: Buffer): string | undefined {
  const start = body.subarray(0, META_BYTES).toString("latin1");
  return charsetOf(/<meta[^>]*charset[^>]*>/i.exec(start)?.[0] ?? "");
}

/** An unknown charset is read as UTF-8, which most pages are. */
function decode(body: Buffer, charset = "utf-8"): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder().decode(body);
    throw error;
  }
}
