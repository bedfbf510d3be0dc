import type {
  Attachment,
  ImageAttachment,
  TextAttachment,
  ToolCall,
  ToolResult,
} from "@caliban/agent-core";
import { isRecord, terminalSafeLine, writtenPart } from "@caliban/common";
import { findMentions } from "./find-mentions.ts";
import { fitLines } from "./fit-lines.ts";
import { findMentioned, type MentionedPath } from "./mentioned-path.ts";

const MAX_LINES = 1_000;
const MAX_FILE_CHARACTERS = 40_000;
const MAX_TOTAL_CHARACTERS = 120_000;
/** Less than this shows too little of a file. */
const MIN_ROOM = 2_000;
const MAX_ATTACHMENTS = 20;
/** The images of one message in Base64; a line of a session file must hold them. */
const MAX_IMAGE_CHARACTERS = 16_000_000;

export interface AttachInput {
  readonly text: string;
  /** Images that the user pasted. */
  readonly images: readonly ImageAttachment[];
  readonly acceptsImages: boolean;
  /** `provider/model`. */
  readonly modelName: string;
  /** Where relative paths may start. The first one that has the path counts. */
  readonly directories: readonly string[];
  /** Runs Read and Glob with the permissions of the agent. */
  readonly runTool: (call: ToolCall) => Promise<ToolResult>;
  readonly signal: AbortSignal;
}

/** What goes with a message. With a problem, no message that starts a turn may be sent. */
export interface Attached {
  readonly attachments: readonly Attachment[];
  /** Why something was not attached, one line each. */
  readonly notices: readonly string[];
  /** Which images are missing, and why. */
  readonly problem?: string | undefined;
}

/** Reads what a message names after an `@`, as the agent would, up to a limit. */
export async function attach(input: AttachInput): Promise<Attached> {
  const notices: string[] = [];
  const problems: string[] = [];
  const attachments: Attachment[] = [];
  const mentioned = findMentions(writtenPart(input.text)).flatMap((readings) =>
    findMentioned(readings, input),
  );
  const paths = uniquePaths(mentioned);
  for (const mention of paths.slice(0, MAX_ATTACHMENTS)) {
    const room = MAX_TOTAL_CHARACTERS - charactersIn(attachments);
    const outcome = await attachPath(mention, room, input);
    if ("problem" in outcome) problems.push(outcome.problem);
    else if ("notice" in outcome) notices.push(`not attached: ${outcome.notice}`);
    else attachments.push(outcome);
  }
  if (paths.length > MAX_ATTACHMENTS) {
    notices.push(
      `not attached: ${paths.length - MAX_ATTACHMENTS} more; the limit is ${MAX_ATTACHMENTS} files`,
    );
  }
  const all = [...attachments, ...input.images];
  const ofAll = imageProblem(all, input);
  const sent = ofAll === undefined ? all : all.filter(({ type }) => type !== "image");
  const problem = [...problems, ...(ofAll === undefined ? [] : [ofAll])].join(" ");
  return { attachments: sent, notices, problem: problem === "" ? undefined : problem };
}

function uniquePaths(mentioned: readonly MentionedPath[]): readonly MentionedPath[] {
  return [...new Map(mentioned.map((mention) => [mention.absolute, mention])).values()];
}

type Outcome = Attachment | { readonly notice: string } | { readonly problem: string };

async function attachPath(
  mention: MentionedPath,
  room: number,
  { runTool, signal }: AttachInput,
): Promise<Outcome> {
  const { absolute, shown, isDirectory } = mention;
  if (room < MIN_ROOM && !isImageName(shown)) {
    return { notice: `${shown}: the other attachments fill the message. The agent can read it` };
  }
  const tool = isDirectory ? "Glob" : "Read";
  const toolInput = isDirectory
    ? { pattern: "**", path: absolute }
    : { file_path: absolute, limit: MAX_LINES };
  const result = await runTool({ name: tool, input: toolInput, signal });
  if (result.isError === true) return refusal(shown, result);
  const [image] = result.images ?? [];
  if (image !== undefined) return { type: "image", name: shown, image };
  if (isImageName(shown) && !isDirectory) return { problem: notAnImage(shown) };
  if (isDirectory) return listing(shown, result);
  const fitted = fitLines(result, Math.min(room, MAX_FILE_CHARACTERS));
  return { type: "text", path: shown, tool, ...fitted };
}

function listing(path: string, { text, data }: ToolResult): TextAttachment {
  const total = isRecord(data) && typeof data["total"] === "number" ? data["total"] : 0;
  const size = total === 1 ? "1 file" : `${total} files`;
  return { type: "text", path, tool: "Glob", text, size };
}

/** An image that cannot be sent stops the message; without a file, the message still makes sense. */
function refusal(shown: string, { text, data }: ToolResult): Outcome {
  const code = isRecord(data) ? data["code"] : undefined;
  if (code === "BAD_IMAGE") return { problem: `${terminalSafeLine(text)} ${FIX_IMAGE}` };
  if (code === "NOT_TEXT" && isImageName(shown)) return { problem: notAnImage(shown) };
  if (code === "DENIED" && isRecord(data) && typeof data["message"] === "string") {
    return { notice: `${shown}: ${terminalSafeLine(data["message"])}` };
  }
  const reason = typeof code === "string" ? REASONS.get(code) : undefined;
  return { notice: `${shown}: ${reason ?? terminalSafeLine(text)}` };
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["MISSING", "no such file"],
  ["OUTSIDE", "outside the workspace. Add its directory with --add-dir"],
  ["NOT_TEXT", "not a UTF-8 text file"],
  ["NOT_A_FILE", "not a regular file"],
  ["UNREADABLE", "cannot be read"],
]);

function isImageName(name: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/i.test(name);
}

const FIX_IMAGE = "Fix the file, or leave it out.";

function notAnImage(name: string): string {
  return `${name} is not a PNG, JPEG, GIF or WebP image. ${FIX_IMAGE}`;
}

function imageProblem(
  attachments: readonly Attachment[],
  { acceptsImages, modelName }: AttachInput,
): string | undefined {
  const images = attachments.filter((attachment) => attachment.type === "image");
  const [first] = images;
  if (first === undefined) return undefined;
  if (!acceptsImages) {
    const [provider = ""] = modelName.split("/");
    return `${modelName} accepts no images. Leave ${first.name} out, or choose another model. If it does accept images: caliban settings set providers.${provider}.images true`;
  }
  const characters = images.reduce((sum, { image }) => sum + image.data.length, 0);
  if (characters <= MAX_IMAGE_CHARACTERS) return undefined;
  return `the images of the message are too large together: ${megabytes(characters)} MB of at most ${megabytes(MAX_IMAGE_CHARACTERS)} MB. Send fewer at once.`;
}

function megabytes(base64Characters: number): string {
  return ((base64Characters * 0.75) / 1_000_000).toFixed(1);
}

function charactersIn(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, item) => sum + (item.type === "text" ? item.text.length : 0), 0);
}
