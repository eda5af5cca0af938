export { askSupport } from "./asked.ts";
export { unreadQuery } from "./queries.ts";
export { SupportButton, SupportPlace } from "./support-button.tsx";
