// breaks: caliban(pure-imports)
export { home } from "./node/uses-process.ts";
