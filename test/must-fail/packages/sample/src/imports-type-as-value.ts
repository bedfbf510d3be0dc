// breaks: typescript(consistent-type-imports)
import { Shape } from "./has-shape.ts";

export const shape: Shape | undefined = undefined;
