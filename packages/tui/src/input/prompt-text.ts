import type { Editor } from "@earendil-works/pi-tui";

// Line breaks and tabs stay. Letters and marks of all scripts do, too: it is the user's own text.
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/** A text without the characters that would steer the terminal, which shows the prompt as it is. */
export function promptText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(CONTROL, "");
}

const PASTE_START = "\u001B[200~";

/** Removes the control characters of a paste that the library leaves in. */
export function cleanPastes(editor: Editor): void {
  const handleInput = editor.handleInput.bind(editor);
  editor.handleInput = (data) => {
    handleInput(data.startsWith(PASTE_START) ? data.replaceAll(/[\u007F-\u009F]/g, "") : data);
  };
}

/** Cleans every text that the program puts into the prompt or its history: others may have written it into a session. */
export function cleanTexts(editor: Editor): void {
  const setText = editor.setText.bind(editor);
  const addToHistory = editor.addToHistory.bind(editor);
  const insertTextAtCursor = editor.insertTextAtCursor.bind(editor);
  editor.setText = (text) => setText(promptText(text));
  editor.addToHistory = (text) => addToHistory(promptText(text));
  editor.insertTextAtCursor = (text) => insertTextAtCursor(promptText(text));
}
