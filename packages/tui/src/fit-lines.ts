import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/** Truncates lines to the width: the renderer crashes on a longer one and dumps the screen into a file. */
export function fitLines(lines: readonly string[], width: number): string[] {
  return lines.map((line) =>
    visibleWidth(line) > width ? truncateToWidth(line, width, "") : line,
  );
}
