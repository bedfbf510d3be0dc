import { useLayoutEffect, useRef } from "preact/hooks";
import { html, type View } from "../html.ts";
import { fieldValue } from "./field-value.ts";
import { hasInvisible } from "./safe-text.ts";

/** A field for a text of several lines, which Ctrl-Enter saves. */
export function TextField({
  label,
  text,
  onText,
  onSave,
}: {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSave: () => void;
}): View {
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next key, which would otherwise be taken for a command of the page.
  useLayoutEffect(() => field.current?.focus(), []);
  return html`<label class="wide"
      >${label}
      <textarea
        ref=${field}
        rows="18"
        spellcheck=${false}
        value=${text}
        onInput=${(event: Event) => onText(fieldValue(event))}
        onKeyDown=${(event: KeyboardEvent) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onSave();
        }}
      ></textarea>
    </label>
    ${hasInvisible(text) && html`<p class="problem">This text has control characters or characters that change its direction. They are not visible here.</p>`}`;
}
