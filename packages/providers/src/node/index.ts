export { openModel, type OpenModelInput } from "./open-model.ts";
