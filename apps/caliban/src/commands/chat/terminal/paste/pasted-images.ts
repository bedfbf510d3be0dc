import type { ImageAttachment } from "@caliban/agent-core";
import { abbreviateHome, expandTilde, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { formatMention, type Screen, showNotice } from "@caliban/tui";
import type { Host } from "../../../../host.ts";
import { pastedImagePath } from "./pasted-path.ts";

/** Images that the user put into the prompt. A word such as `[image 1]` represents each of them in the text. */
export interface PastedImages {
  /** Takes a pasted text that is the path of an image, as after dropping a file; false for any other text. */
  readonly pasteText: (text: string) => boolean;
  /** Puts the image in the clipboard into the prompt. */
  readonly pasteClipboard: () => Promise<void>;
  /** The images whose words are in a text. Removing the word removes the image. */
  readonly imagesIn: (text: string) => readonly ImageAttachment[];
}

interface PastedImagesInput {
  readonly screen: Screen;
  readonly host: Pick<Host, "env" | "platform" | "home">;
  readonly workspaceRoot: string;
  readonly fail: (error: unknown) => void;
}

/** Keeps the pasted images of a conversation until it ends, because its messages can be sent again from the history. */
export function createPastedImages({
  screen,
  host,
  workspaceRoot,
  fail,
}: PastedImagesInput): PastedImages {
  const images: ImageAttachment[] = [];
  const report = (problem: string): void =>
    showNotice(screen, "bad", `Not attached: ${terminalSafeLine(problem)}.`);
  const add = async (bytes: Uint8Array, source: string): Promise<string | undefined> => {
    const { checkPastedImage } = await import("./read-pasted-file.ts");
    const checked = checkPastedImage(bytes);
    if ("problem" in checked) return `${source} ${checked.problem}`;
    const name = `[image ${images.length + 1}]`;
    images.push({ type: "image", name, image: checked.image });
    screen.editor.insertTextAtCursor(`${name} `);
    return undefined;
  };

  const pasteFile = async (path: string, pasted: string): Promise<void> => {
    const { readPastedFile } = await import("./read-pasted-file.ts");
    const file = readPastedFile(path, workspaceRoot);
    // The same rules as for Read decide about a file of the workspace.
    if ("inside" in file) return screen.editor.insertTextAtCursor(`${formatMention(file.inside)} `);
    const shown = abbreviateHome(pathStyleOf(host.platform), path, host.home);
    const problem = "bytes" in file ? await add(file.bytes, shown) : `${shown} ${file.problem}`;
    if (problem === undefined) return;
    screen.editor.insertTextAtCursor(pasted);
    report(problem);
  };

  return {
    pasteText: (text) => {
      const path = pastedImagePath(text, host.platform);
      if (path === undefined) return false;
      const full = expandTilde(pathStyleOf(host.platform), path, host.home);
      pasteFile(full, text).catch(fail);
      return true;
    },
    pasteClipboard: async () => {
      const { readClipboardImage } = await import("./read-clipboard.ts");
      const found = await readClipboardImage(host);
      const problem =
        "problem" in found ? found.problem : await add(found.bytes, "The image in the clipboard");
      if (problem !== undefined) report(problem);
    },
    imagesIn: (text) => images.filter(({ name }) => text.includes(name)),
  };
}
