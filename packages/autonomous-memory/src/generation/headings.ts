const HEADING = /^#{1,6}\s/;
const FENCE = /^\s*(?:```|~~~)/;

/** For every line, whether it is a heading, and whether it is code, where nothing is one. */
export interface LineKinds {
  readonly isHeading: readonly boolean[];
  readonly isCode: readonly boolean[];
}

export function lineKinds(lines: readonly string[]): LineKinds {
  const [isHeading, isCode]: [boolean[], boolean[]] = [[], []];
  let isInside = false;
  for (const line of lines) {
    const isFence = isFenceLine(line);
    isCode.push(isInside || isFence);
    isHeading.push(!isInside && HEADING.test(line));
    if (isFence) isInside = !isInside;
  }
  return { isHeading, isCode };
}

/** Whether a line begins or ends code. */
export function isFenceLine(line: string): boolean {
  return FENCE.test(line);
}
