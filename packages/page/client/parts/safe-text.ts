import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { useState } from "preact/hooks";
import { html, type View } from "../html.ts";

/** A text of others on one line: control characters and those that change its direction are visible. */
export function line(text: string): string {
  return terminalSafeLine(text);
}

/** How much of a long text is shown at first. */
const MAX_CHARACTERS = 60_000;

/** A text as it is, with what is invisible made visible. */
export function PlainText({ text }: { readonly text: string }): View {
  return html`<${LongText}
    text=${text}
    render=${(shown: string) => html`<pre class="text" tabindex="0">${terminalSafe(shown)}</pre>`}
  />`;
}

/** A text that may be very long. */
export function LongText({
  text,
  render,
}: {
  readonly text: string;
  readonly render: (shown: string) => View;
}): View {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > MAX_CHARACTERS;
  return html`${render(isCut ? text.slice(0, MAX_CHARACTERS) : text)}
  ${
    isCut &&
    html`<button type="button" onClick=${() => setWhole(true)}>
      Show all ${text.length.toLocaleString("en-US")} characters
    </button>`
  }`;
}

/** Whether a text has characters that no one sees. */
export function hasInvisible(text: string): boolean {
  return terminalSafe(text) !== text;
}
