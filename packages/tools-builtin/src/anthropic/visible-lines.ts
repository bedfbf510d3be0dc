/** The model knows no header, so lines count from its own first line. What the header repeats is found there, too. */
export function withVisibleLines(message: string, hiddenLines: number): string {
  return message
    .replaceAll(/[:;] ([^:;]+) in line (\d+) of the file/g, (_, kind, line) => {
      const visible = Number(line) - hiddenLines;
      return visible > 0 ? `; ${kind} in line ${visible} of the file` : "";
    })
    .replace("; ", ": ");
}
