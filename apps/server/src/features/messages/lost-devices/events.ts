import { eventType } from "../../../platform/events.ts";

/** Someone at the sign-in page named this member and reported a lost device. `asksStaff`: staff can confirm it too. */
export const lostDeviceReported = eventType<{ memberId: string; asksStaff: boolean }>("lost_devices.reported");

/** Staff confirmed it: the device's old key is revoked. */
export const lostDeviceCutByStaff = eventType<{ memberId: string; name: string }>("lost_devices.cut_by_staff");
