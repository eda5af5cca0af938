import { devices as ru } from "./ru/devices.ts";
import { makeWords } from "./words.ts";

/** Texts of a device's dialogs. They load with them, not with the first page. */
export const useDevices = makeWords(ru, () => import("./en/devices.ts").then(({ devices }) => devices));

export type DeviceText = typeof ru;
export type DiagnosisWords = typeof ru.diagnosis;
