/** A topic file in two parts, which together are the file. */
export interface SplitTopic {
  /** With both lines of dashes; empty if there is none. */
  readonly header: string;
  readonly body: string;
}

/** Line ends become LF, so that two systems do not disagree about every line. */
export function splitTopic(text: string): SplitTopic {
  const normal = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const header = /^---\n(?:[^\n]*\n)*?---(?:\n+|$)/.exec(normal)?.[0] ?? "";
  return { header, body: normal.slice(header.length) };
}
