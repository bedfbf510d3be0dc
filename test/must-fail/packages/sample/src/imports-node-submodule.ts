// breaks: caliban(pure-imports)
export { readFile } from "node:fs/promises";
