import { lazyPart } from "../../../ui/lazy.tsx";

/** The sections do not wait for them. */
export const ClaimsCount = lazyPart(() => import("./alarm-counts.tsx").then(({ ClaimsCount }) => ClaimsCount));
export const GoneCount = lazyPart(() => import("./alarm-counts.tsx").then(({ GoneCount }) => GoneCount));
