import { fileURLToPath } from "node:url";
import { isAbsolute, relative, sep } from "node:path";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ImageAttachment } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import { formatMention } from "@caliban/tui";

/** A prompt as a message of the user. */
export interface ReadPrompt {
  readonly text: string;
  /** Each is named in the text, such as `[image 1]`. */
  readonly images: readonly ImageAttachment[];
}

export interface ReadPromptInput {
  readonly workspaceRoot: string;
  /** How many images the conversation has already. */
  readonly imageCount: number;
}

/** More than any window holds; a longer text belongs into a file. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Reads the blocks of a prompt. A linked file becomes a mention, which the agent's own tools read with the agent's
 * permissions. Returns what is wrong with a prompt that cannot be sent.
 */
export async function readPrompt(
  blocks: readonly ContentBlock[],
  { workspaceRoot, imageCount }: ReadPromptInput,
): Promise<ReadPrompt | { readonly problem: string }> {
  const images: ImageAttachment[] = [];
  let text = "";
  for (const block of blocks) {
    const read = await readBlock(block, workspaceRoot, imageCount + images.length + 1);
    if ("problem" in read) return read;
    if (read.image !== undefined) images.push(read.image);
    text = read.isWord ? `${spaced(text)}${read.text} ` : text + read.text;
  }
  if (text.trim() === "") return { problem: "the prompt is empty" };
  if (text.length > MAX_CHARACTERS) {
    return {
      problem: `the prompt is too long: ${text.length} characters of at most ${MAX_CHARACTERS}. Put the text into a file and mention it`,
    };
  }
  return { text: text.trimEnd(), images };
}

function spaced(text: string): string {
  return text === "" || /\s$/.test(text) ? text : `${text} `;
}

type ReadBlock =
  | {
      readonly text: string;
      /** Whether spaces separate it from the text around it. */
      readonly isWord: boolean;
      readonly image?: ImageAttachment;
    }
  | { readonly problem: string };

async function readBlock(
  block: ContentBlock,
  workspaceRoot: string,
  number: number,
): Promise<ReadBlock> {
  switch (block.type) {
    case "text":
      return { text: block.text, isWord: false };
    case "resource_link":
      return { text: mentionOf(block.uri, workspaceRoot), isWord: true };
    case "image":
      return await readImage(block.data, number);
    case "audio":
      return { problem: "audio is not supported" };
    case "resource":
      return {
        problem: "embedded resources are not supported; link the file instead (resource_link)",
      };
  }
}

async function readImage(data: string, number: number): Promise<ReadBlock> {
  const { checkPastedImage } = await import("../../chat/terminal/paste/read-pasted-file.ts");
  const checked = checkPastedImage(Buffer.from(data, "base64"));
  const name = `[image ${number}]`;
  if ("problem" in checked) return { problem: `image ${number} ${checked.problem}` };
  return { text: name, isWord: true, image: { type: "image", name, image: checked.image } };
}

/** A file as the user would mention it, with the lines that are meant. Any other address stays as it is. */
function mentionOf(uri: string, workspaceRoot: string): string {
  const path = filePathOf(uri);
  if (path === undefined) return terminalSafeLine(uri);
  const inside = relative(workspaceRoot, path);
  const real = relative(realPathIfExists(workspaceRoot) ?? workspaceRoot, path);
  const shortest = [inside, real].find((each) => !each.startsWith("..") && !isAbsolute(each));
  const mention = formatMention(
    shortest === undefined ? path : shortest.split(sep).join("/") || ".",
  );
  const [, first, last = first] = /#L(\d+)(?:[-:]L?(\d+))?/.exec(uri) ?? [];
  return first === undefined ? mention : `${mention} (lines ${first}-${last})`;
}

/** The path of a file address, or `undefined`. */
function filePathOf(uri: string): string | undefined {
  try {
    const url = new URL(uri);
    url.hash = "";
    url.search = "";
    return url.protocol === "file:" ? fileURLToPath(url) : undefined;
  } catch (error) {
    // Not an address, or one of another machine.
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}
