import type { Api } from "@krug/contract/api";
import { firstValues } from "@krug/domain/fields/field";
import { CLUB_SETTINGS } from "@krug/domain/fields/settings";
import { forEachSwitch } from "@krug/domain/staff-actions";

type ClubSettings = Api["GET /admin/settings"]["answer"];

/** As a new club has them. */
export const clubSettings = (about: Partial<ClubSettings> = {}): ClubSettings => ({
  ...firstValues(CLUB_SETTINGS),
  ...forEachSwitch(() => false),
  fixedBy: { clubTimeZone: null },
  ...about,
});
