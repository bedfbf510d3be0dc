const HEADING = /^#{1,6}\s/;
const FENCE = /^\s*(?:```|~~~)/;

/** For every line, whether it is a heading, and whether it is code, where nothing is a heading. */
export interface LineKinds {
  readonly isHeading: readonly boolean[];
  readonly isCode: readonly boolean[];
}

export function classifyLines(lines: readonly string[]): LineKinds {
  const [isHeading, isCode]: [boolean[], boolean[]] = [[], []];
  let isInFence = false;
  for (const line of lines) {
    const isFence = isFenceLine(line);
    isCode.push(isInFence || isFence);
    isHeading.push(!isInFence && HEADING.test(line));
    if (isFence) isInFence = !isInFence;
  }
  return { isHeading, isCode };
}

/** Whether a line starts or ends a code block. */
export function isFenceLine(line: string): boolean {
  return FENCE.test(line);
}
