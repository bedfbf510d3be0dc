// breaks: unicorn(prefer-node-protocol)
import { sep } from "path";

export const separator: string = sep;
