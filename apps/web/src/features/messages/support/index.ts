export { askSupport, openSupport } from "./asked.ts";
export { unreadQuery } from "./queries.ts";
export { SupportButton, SupportPlace } from "./support-button.tsx";
