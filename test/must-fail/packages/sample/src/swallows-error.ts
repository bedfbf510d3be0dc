// breaks: eslint(no-empty)
export function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}
