import type { Attachment, Image } from "../message.ts";

/** Renders an attachment for a model. No content can end its frame or pose as another one. */
export function renderAttachment(attachment: Attachment, isImageSent: boolean): string {
  if (attachment.type === "image") {
    return renderImageLabel(attachment.name, attachment.image, isImageSent);
  }
  const { path, text, tool } = attachment;
  return `<attached-file path=${quoted(path)} tool=${quoted(tool)}>\n${escapeFrame(text)}\n</attached-file>`;
}

/** The line before an image, which also represents one that cannot be sent. */
export function renderImageLabel(name: string, image: Image, isSent: boolean): string {
  const { width, height, data } = image;
  const reason = data === "" ? "no longer available" : "not sent: this model accepts no images";
  return `[image ${quoted(name)}, ${width} × ${height}${isSent ? "" : `, ${reason}`}]`;
}

/** One line about an attachment, for the user. */
export function describeAttachment(attachment: Attachment): string {
  if (attachment.type === "text") return `attached ${attachment.path}, ${attachment.size}`;
  const { name, image } = attachment;
  // A pasted image is named by what represents it in the text.
  const label = /^\[image \d+\]$/.test(name) ? name : `[image ${name}]`;
  return `attached ${label}, ${image.width} × ${image.height}`;
}

const INVISIBLE = String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}]*`;
const TAG = new RegExp(
  String.raw`[<\uFE64\uFF1C](?=[\s\p{Cf}]*/?[\s\p{Cf}]*${Array.from("attached-file").join(INVISIBLE)})`,
  "giu",
);

/** However the tag is written: in any case, with spaces or invisible characters. */
function escapeFrame(text: string): string {
  return text.replaceAll(TAG, "&lt;");
}

function quoted(name: string): string {
  return `"${name.replaceAll(/[\p{Cc}"<>]/gu, (character) => `&#${character.codePointAt(0)};`)}"`;
}
