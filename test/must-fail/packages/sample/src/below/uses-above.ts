// breaks: caliban(one-direction)
import type { above } from "../above/uses-below.ts";

export const below: number = 1;
export type Above = typeof above;
