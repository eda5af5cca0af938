export { asViewed, FrameProvider, type StaffRole, useFrame, useViewed } from "./frame.tsx";
export { Screen } from "./screen.tsx";
export { useMay, useRight } from "./use-may.ts";
