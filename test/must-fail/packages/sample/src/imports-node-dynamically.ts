// breaks: caliban(pure-imports)
export async function load(): Promise<unknown> {
  return await import("node:os");
}
