import { diagnosis } from "./diagnosis.ts";
import { month } from "./month.ts";
import * as created from "./new-device.ts";
import * as own from "./own-devices.ts";

export const devices = { diagnosis, month, ...created, ...own };
