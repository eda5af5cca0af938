export { useAlarmLines } from "./alarm-lines.ts";
export { asViewed, FrameProvider, type StaffRole, useFrame, useViewed } from "./frame.tsx";
export { ALARMS, MEMBERS } from "./key.ts";
export { ClaimsCount, GoneCount } from "./lazy-counts.ts";
export { Screen } from "./screen.tsx";
export { useIsReadOnlyBySilence, useSamplesAlone } from "./silence.tsx";
export { StaffLink } from "./staff-link.tsx";
export { useMay, useRight, useRights } from "./use-may.ts";
export { type StaffList, useStaffList } from "./use-staff-list.ts";
