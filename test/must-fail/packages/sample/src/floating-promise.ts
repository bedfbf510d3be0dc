// breaks: typescript(no-floating-promises)
export function start(work: () => Promise<void>): void {
  work();
}
