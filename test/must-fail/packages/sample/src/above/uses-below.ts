// breaks: caliban(one-direction)
import { below } from "../below/uses-above.ts";

export const above: number = below + 1;
