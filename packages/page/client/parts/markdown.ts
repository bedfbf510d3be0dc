import { terminalSafe } from "@caliban/common";
import type { MarkdownBlock } from "../../src/markdown/parse-blocks.ts";
import { parseBlocks } from "../../src/markdown/parse-blocks.ts";
import type { Inline } from "../../src/markdown/parse-inline.ts";
import { html, type View } from "../html.ts";
import { addressOf } from "../state/route.ts";
import { LongText } from "./safe-text.ts";

/** Markdown as elements that can do nothing: no HTML, no images, no address but those of web pages. */
export function Markdown({ text, scope }: { readonly text: string; readonly scope: string }): View {
  return html`<${LongText}
    text=${text}
    render=${(shown: string) =>
      html`<div class="markdown">
        ${parseBlocks(shown).map((block) => renderBlock(block, scope))}
      </div>`}
  />`;
}

function renderBlock(block: MarkdownBlock, scope: string): View {
  const inline = (pieces: readonly Inline[]): View =>
    pieces.map((piece) => renderInline(piece, scope));
  if (block.kind === "rule") return html`<hr />`;
  if (block.kind === "code") return html`<pre tabindex="0">${terminalSafe(block.text)}</pre>`;
  if (block.kind === "heading")
    // The page has headings of its own above these.
    return html`<p
      class=${`heading level-${block.level}`}
      role="heading"
      aria-level=${Math.min(6, block.level + 2)}
    >
      ${inline(block.line)}
    </p>`;
  if (block.kind === "list")
    return html`<ul>
      ${block.items.map(
        ({ indent, marker, line }) =>
          html`<li class=${`indent-${Math.min(indent, 5)}`}>
            <span class="marker">${/\d/.test(marker) ? marker : "•"}</span>
            <span>${inline(line)}</span>
          </li>`,
      )}
    </ul>`;
  const lines = block.lines.map((pieces, at) => html`${at > 0 && html`<br />`}${inline(pieces)}`);
  return block.kind === "quote" ? html`<blockquote>${lines}</blockquote>` : html`<p>${lines}</p>`;
}

function renderInline(piece: Inline, scope: string): View {
  const text = terminalSafe(piece.text);
  if (piece.kind === "code") return html`<code>${text}</code>`;
  if (piece.kind === "strong") return html`<strong>${text}</strong>`;
  if (piece.kind === "emphasis") return html`<em>${text}</em>`;
  if (piece.kind === "topic")
    return html`<a href=${addressOf("topics", scope, piece.slug)}>${text}</a>`;
  if (piece.kind === "link")
    return html`<a
      href=${piece.address}
      title=${terminalSafe(piece.address)}
      target="_blank"
      rel="noopener noreferrer"
      >${text}</a
    >`;
  return text;
}
