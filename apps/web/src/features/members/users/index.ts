export { ConfigsOf } from "./configs-of.tsx";
export { BulkActions } from "./lazy-bulk-actions.ts";
export { InvitedLinks } from "./lazy-invited-links.ts";
export { LinkShown } from "./lazy-link-shown.ts";
export { configsOfQuery, type MemberFile, memberFileQuery } from "./queries.ts";
export { StateWords, stateOf, subscriptionText } from "./standing.tsx";
export { useUsersWords } from "./words.ts";
