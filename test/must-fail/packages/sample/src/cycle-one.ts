// breaks: import(no-cycle)
import { two } from "./cycle-two.ts";

export const one: number = two;
