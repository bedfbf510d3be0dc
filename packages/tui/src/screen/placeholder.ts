import { type Editor, truncateToWidth } from "@earendil-works/pi-tui";
import type { Theme } from "../theme.ts";

/** Shows a text in the empty prompt, after the cursor. */
export function addPlaceholder(editor: Editor, theme: Theme, text: string): void {
  const render = editor.render.bind(editor);
  editor.render = (width) => {
    const lines = render(width);
    const room = width - 3;
    if (editor.getText() !== "" || lines.length !== 3 || room < text.length) return lines;
    // Between the borders; the line ends with the spaces that fill it.
    return lines.with(
      1,
      `${(lines[1] ?? "").trimEnd()} ${theme.dim(truncateToWidth(text, room, "…"))}`,
    );
  };
}
