export { makeChangeSettings, type SettingsParts } from "./change-settings.ts";
export { type ClubSettings, makeSettings, type Settings } from "./club-settings.ts";
export { makeClubZone } from "./club-zone.ts";
export { settingsChanged } from "./events.ts";
