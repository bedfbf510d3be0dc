// breaks: caliban(declared-dependencies)
export { parse } from "only-for-tests/deep";
