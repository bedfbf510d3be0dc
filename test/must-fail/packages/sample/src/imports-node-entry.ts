// breaks: caliban(pure-imports)
export { loadMemory } from "@caliban/memory/node";
