import { type Editor, matchesKey } from "@earendil-works/pi-tui";

const DOWN = "\u001B[B";
const END = "\u001B[F";

/** Puts the cursor at the end of a line that Up brings back, because users change or extend its end. */
export function keepCursorAtEnd(editor: Editor): void {
  const handleInput = editor.handleInput.bind(editor);
  editor.handleInput = (data) => {
    const before = editor.getText();
    handleInput(data);
    if (!matchesKey(data, "up") || editor.getText() === before) return;
    // Down leaves the entry only on its last line.
    while (editor.getCursor().line < editor.getLines().length - 1) handleInput(DOWN);
    handleInput(END);
  };
}
