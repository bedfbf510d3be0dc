import { type Attributes, readHtml } from "./html-tokens.ts";
import type { InlineKind } from "./inline-text.ts";
import { createMarkdownWriter, type MarkdownWriter } from "./markdown-writer.ts";

/** A web page as Markdown. */
export interface MarkdownPage {
  /** Empty if it has none. */
  readonly title: string;
  readonly text: string;
}

/** Converts a page. Links become absolute; scripts, styles, navigation and images without a text are left out. */
export function htmlToMarkdown(html: string, pageUrl: string): MarkdownPage {
  const writer = createMarkdownWriter();
  let [title, baseUrl] = ["", pageUrl];
  let skipped: { readonly name: string; depth: number } | undefined;
  let isTitle = false;
  readHtml(html, {
    open: (name, attributes) => {
      // A part that is never closed does not hide the page.
      if (skipped !== undefined && CONTENT.has(name)) skipped = undefined;
      if (skipped !== undefined) {
        if (name === skipped.name) skipped.depth += 1;
      } else if (SKIPPED.has(name)) {
        skipped = { name, depth: 1 };
      } else if (name === "title") {
        isTitle = title === "";
      } else if (name === "base") {
        baseUrl = absoluteUrl(attributes.get("href"), pageUrl) || pageUrl;
      } else {
        openTag(writer, { name, attributes, baseUrl });
      }
    },
    close: (name) => {
      if (name === "title") isTitle = false;
      if (skipped === undefined) closeTag(writer, name);
      else if (name === skipped.name) {
        skipped.depth -= 1;
        if (skipped.depth === 0) skipped = undefined;
      }
    },
    text: (text) => {
      if (skipped !== undefined) return;
      if (isTitle) title += text;
      else writer.text(text);
    },
  });
  return { title: title.replaceAll(/\s+/g, " ").trim(), text: writer.end() };
}

const SKIPPED: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "canvas",
  "audio",
  "video",
  "select",
  "nav",
]);

const CONTENT: ReadonlySet<string> = new Set(["main", "article", "h1"]);

interface OpenTag {
  readonly name: string;
  readonly attributes: Attributes;
  readonly baseUrl: string;
}

const INLINE: ReadonlyMap<string, InlineKind> = new Map([
  ["strong", "strong"],
  ["b", "strong"],
  ["em", "emphasis"],
  ["i", "emphasis"],
  ["code", "code"],
  ["kbd", "code"],
  ["samp", "code"],
  ["a", "link"],
]);

const BLOCKS: ReadonlySet<string> = new Set(
  "address article aside body dd details dialog div dl dt fieldset figcaption figure footer form header hgroup html main p section summary caption thead tbody tfoot option".split(
    " ",
  ),
);

const OPENERS: Readonly<Record<string, (writer: MarkdownWriter, tag: OpenTag) => void>> = {
  br: (writer) => writer.lineBreak(),
  hr: (writer) => writer.rule(),
  pre: (writer, { attributes }) => writer.openCode(languageOf(attributes)),
  ul: (writer) => writer.openList(false),
  ol: (writer) => writer.openList(true),
  li: (writer) => writer.startItem(),
  blockquote: (writer) => writer.openQuote(),
  table: (writer) => writer.openTable(),
  tr: (writer) => writer.startRow(),
  td: (writer) => writer.startCell(),
  th: (writer) => writer.startCell(),
  img: (writer, { attributes }) => {
    const text = attributes.get("alt")?.trim() ?? "";
    if (text !== "") writer.text(`[image: ${text}]`);
  },
};

function openTag(writer: MarkdownWriter, tag: OpenTag): void {
  const { name, attributes, baseUrl } = tag;
  const inline = INLINE.get(name);
  if (inline !== undefined) {
    const target = inline === "link" ? absoluteUrl(attributes.get("href"), baseUrl) : undefined;
    writer.openInline(inline, target);
  } else if (HEADING.test(name)) writer.heading(Number(name.slice(1)));
  else if (BLOCKS.has(name)) writer.endBlock();
  else if (Object.hasOwn(OPENERS, name)) OPENERS[name]?.(writer, tag);
}

const HEADING = /^h[1-6]$/;

const CLOSERS: Readonly<Record<string, (writer: MarkdownWriter) => void>> = {
  pre: (writer) => writer.closeCode(),
  ul: (writer) => writer.closeList(),
  ol: (writer) => writer.closeList(),
  li: (writer) => writer.endBlock(),
  blockquote: (writer) => writer.closeQuote(),
  table: (writer) => writer.closeTable(),
};

function closeTag(writer: MarkdownWriter, name: string): void {
  const inline = INLINE.get(name);
  if (inline !== undefined) writer.closeInline(inline);
  else if (HEADING.test(name)) writer.heading(0);
  else if (BLOCKS.has(name)) writer.endBlock();
  else if (Object.hasOwn(CLOSERS, name)) CLOSERS[name]?.(writer);
}

/** Many pages name the language of a block in its class. */
function languageOf(attributes: Attributes): string {
  return (
    /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,20})/.exec(
      attributes.get("class") ?? "",
    )?.[1] ?? ""
  );
}

/** Empty for a link within the page, and for one that is not about the web. */
function absoluteUrl(href: string | undefined, baseUrl: string): string {
  if (href === undefined || href.startsWith("#") || !URL.canParse(href, baseUrl)) return "";
  const { protocol, href: url } = new URL(href, baseUrl);
  return protocol === "http:" || protocol === "https:"
    ? url.replaceAll("(", "%28").replaceAll(")", "%29")
    : "";
}
