export { asViewed, FrameProvider, type StaffRole, useFrame, useViewed } from "./frame.tsx";
export { Screen } from "./screen.tsx";
export { useMay } from "./use-may.ts";
