import { html, type View } from "../html.ts";
import { line } from "./safe-text.ts";

/** Labels with their values. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [label: string, value: string])[];
}): View {
  if (facts.length === 0) return null;
  return html`<dl class="facts">
    ${facts.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${line(value)}</dd>
        </div>`,
    )}
  </dl>`;
}
