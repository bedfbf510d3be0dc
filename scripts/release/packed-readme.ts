import { posix } from "node:path";

export interface PackedReadmeInput {
  readonly text: string;
  /** The folder of the README, relative to the repository. */
  readonly directory: string;
  /** The address of the repository, without a slash at the end. */
  readonly repository: string;
  readonly isDirectory: (path: string) => boolean;
}

/** Code, which contains examples; or a link or image with a relative target. */
const CODE_OR_LINK = /^ *```[\s\S]*?^ *```|`[^`\n]*`|(!?)(\[[^\]]*\]\()(?![a-z]+:|#)([^)\s]+)/gm;

/** Returns a README whose links work outside the repository. `HEAD` is the default branch, whatever its name. */
export function packedReadme({
  text,
  directory,
  repository,
  isDirectory,
}: PackedReadmeInput): string {
  return text.replaceAll(CODE_OR_LINK, (found: string, ...parts: readonly string[]) => {
    const [image, start, target = ""] = parts;
    // Only a link has parts.
    if (start === undefined) return found;
    const [path = "", anchor = ""] = target.split(/(?=#)/);
    const inRepository = posix.join(directory, path);
    const page = isDirectory(inRepository) ? "tree" : "blob";
    const kind = image === "!" ? "raw" : page;
    return `${image}${start}${repository}/${kind}/HEAD/${inRepository}${anchor}`;
  });
}
