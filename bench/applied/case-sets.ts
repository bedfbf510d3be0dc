import type { CaseSet } from "./case.ts";
import { BAKERY, BAKERY_DECOYS } from "./cases/bakery.ts";
import { CAR_SHARING, CAR_SHARING_DECOYS } from "./cases/car-sharing.ts";
import { CLINIC, CLINIC_DECOYS } from "./cases/clinic.ts";
import { DEVICES } from "./cases/devices.ts";
import { HARBOR, HARBOR_DECOYS } from "./cases/harbor.ts";
import { LEDGER, LEDGER_DECOYS } from "./cases/ledger.ts";
import { LIBRARY, LIBRARY_DECOYS } from "./cases/library.ts";
import { MORE_DEVICES } from "./cases/devices-more.ts";
import { OBSERVATORY, OBSERVATORY_DECOYS } from "./cases/observatory.ts";
import { PLAYER, PLAYER_DECOYS } from "./cases/player.ts";
import { SHOP } from "./cases/shop.ts";
import { STUDIO, STUDIO_DECOYS } from "./cases/studio.ts";
import { TRAINS, TRAINS_DECOYS } from "./cases/trains.ts";

/** The sets that weights and thresholds were chosen on. */
export const TUNING: readonly CaseSet[] = [
  { name: "a shop", cases: SHOP, decoys: [] },
  { name: "devices", cases: [...DEVICES, ...MORE_DEVICES], decoys: [] },
  { name: "bookkeeping", cases: LEDGER, decoys: LEDGER_DECOYS },
  { name: "a media player", cases: PLAYER, decoys: PLAYER_DECOYS },
  { name: "freight, findable", cases: HARBOR, decoys: HARBOR_DECOYS },
  { name: "regional trains, findable", cases: TRAINS, decoys: TRAINS_DECOYS },
  { name: "car sharing, findable", cases: CAR_SHARING, decoys: CAR_SHARING_DECOYS },
];

/**
 * Written without knowledge of the code, and kept out of tuning. In a findable set, a search for the task lists the right
 * conversation among its first three.
 */
export const HELD_OUT: readonly CaseSet[] = [
  { name: "a clinic", cases: CLINIC, decoys: CLINIC_DECOYS },
  { name: "yoga studios, findable", cases: STUDIO, decoys: STUDIO_DECOYS },
  { name: "an observatory, findable", cases: OBSERVATORY, decoys: OBSERVATORY_DECOYS },
  { name: "city libraries, findable", cases: LIBRARY, decoys: LIBRARY_DECOYS },
  { name: "a bakery, findable", cases: BAKERY, decoys: BAKERY_DECOYS },
];
