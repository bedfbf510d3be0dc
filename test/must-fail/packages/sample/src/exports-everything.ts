// breaks: caliban(named-exports)
export * from "./uses-random.ts";
