export { ConfigsOf } from "./configs-of.tsx";
export { MemberPicker, type Picked } from "./member-picker.tsx";
export { type MemberFile, memberFileQuery } from "./queries.ts";
export { StateWords, stateOf, subscriptionText } from "./standing.tsx";
