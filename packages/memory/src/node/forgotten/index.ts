export {
  type Forgotten,
  openForgotten,
  type OpenForgottenOptions,
  type SpokenTurn,
} from "./open-forgotten.ts";
export { withForgetting } from "../../forgotten/with-forgetting.ts";
export { statementsOf } from "../../forgotten/split-statements.ts";
export type { Tombstone } from "../../forgotten/tombstone.ts";
