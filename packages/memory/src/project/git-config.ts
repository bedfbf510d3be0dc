import { withoutUserInfo } from "./record.ts";

const MAX_LINE = 1_000;

/** The addresses of the remotes in a repository's own config file; what it includes from elsewhere is not read. */
export function remotesInConfig(text: string): readonly string[] {
  const found: string[] = [];
  let isRemote = false;
  for (const line of text.split("\n")) {
    if (line.length > MAX_LINE) continue;
    const section = /^\s*\[\s*([A-Za-z.-]+)/.exec(line)?.[1];
    if (section !== undefined) isRemote = section.toLowerCase() === "remote";
    const url = isRemote ? /^\s*url\s*=\s*(\S.*)$/i.exec(line)?.[1] : undefined;
    if (url !== undefined) found.push(withoutUserInfo(url.trim()));
  }
  return found.toSorted();
}
