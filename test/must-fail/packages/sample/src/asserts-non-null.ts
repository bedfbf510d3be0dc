// breaks: typescript(no-non-null-assertion)
export const first = (list: readonly string[]): string => list[0]!;
