/** The file of a topic as others get it: without what only means something on this machine. */
export function sharedText(text: string): string {
  const normal = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const [header = ""] = /^---\n(?:[^\n]*\n)*?---(?:\n|$)/.exec(normal) ?? [];
  const body = normal.slice(header.length);
  return header.replace(/^ {2}session:[^\n]*\n(?! {3})/m, "") + body;
}
