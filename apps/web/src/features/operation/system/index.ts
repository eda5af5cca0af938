export { settingsQuery as clubSettingsQuery } from "./queries.ts";
