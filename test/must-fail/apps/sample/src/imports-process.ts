// breaks: eslint(no-restricted-imports)
import { env } from "node:process";

export const home: string | undefined = env["HOME"];
