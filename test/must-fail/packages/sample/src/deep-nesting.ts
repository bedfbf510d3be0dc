// breaks: eslint(max-depth)
export function deep(a: boolean): number {
  if (a) {
    for (const b of [1]) {
      while (a) {
        if (b > 0) return b;
      }
    }
  }
  return 0;
}
