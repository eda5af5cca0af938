import { diagnosis } from "./diagnosis.ts";
import { month } from "./month.ts";
import * as own from "./own-devices.ts";

export const devices = { diagnosis, month, ...own };
