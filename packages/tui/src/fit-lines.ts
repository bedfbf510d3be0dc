import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/** Lines that fit: the renderer ends the program over one that does not, and writes the screen into a file. */
export function fitLines(lines: readonly string[], width: number): string[] {
  return lines.map((line) =>
    visibleWidth(line) > width ? truncateToWidth(line, width, "") : line,
  );
}
