export { openTeam, type OpenTeamInput } from "./open-team.ts";
export { checkRemote } from "./check-remote.ts";
