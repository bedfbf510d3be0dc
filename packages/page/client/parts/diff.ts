import { terminalSafe } from "@caliban/common";
import type { DiffRow } from "../../src/view/diff-view.ts";
import { html, type View } from "../html.ts";

const MARKS = { same: " ", removed: "−", added: "+", gap: "⋯" } as const;
const NAMES = { same: "", removed: "removed: ", added: "added: ", gap: "" } as const;

const MAX_ROWS = 2_000;

/** The changed lines of a text. */
export function Diff({ rows }: { readonly rows: readonly DiffRow[] }): View {
  if (rows.length === 0) return html`<p class="quiet">No line changed.</p>`;
  const more = rows.length - MAX_ROWS;
  return html`<div class="diff" tabindex="0" role="region" aria-label="Changed lines">
    ${rows
      .slice(0, MAX_ROWS)
      .map(
        ({ kind, text }) =>
          html`<div class=${kind}>
            <span aria-hidden="true">${MARKS[kind]} </span
            ><span class="hidden">${NAMES[kind]}</span>${terminalSafe(text)}
          </div>`,
      )}
    ${more > 0 && html`<div class="gap">and ${more} more lines</div>`}
  </div>`;
}
