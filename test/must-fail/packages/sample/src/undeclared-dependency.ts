// breaks: caliban(declared-dependencies)
export { parse } from "undeclared";
