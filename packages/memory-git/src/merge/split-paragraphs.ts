const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The paragraphs of a Markdown text, without the blank lines between them. A fenced block is part of one paragraph. */
export function splitParagraphs(body: string): readonly string[] {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  let fence = "";
  const finish = (): void => {
    if (lines.length > 0) paragraphs.push(lines.join("\n"));
    lines = [];
  };
  for (const line of body.split("\n")) {
    if (fence === "" && line.trim() === "") {
      finish();
      continue;
    }
    lines.push(line);
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (fence === "") fence = mark;
    else if (closes(mark, line, fence)) fence = "";
  }
  // A fence that never ends has the blank lines of the end.
  while (lines.at(-1)?.trim() === "") lines.pop();
  finish();
  return paragraphs;
}

function closes(mark: string, line: string, fence: string): boolean {
  return mark !== "" && mark.startsWith(fence) && line.trim() === mark;
}
