import type { Api } from "@krug/contract/api";
import { forEachSwitch } from "@krug/domain/staff-actions";

type ClubSettings = Api["GET /admin/settings"]["answer"];

/** As a new club has them. */
export const clubSettings = (about: Partial<ClubSettings> = {}): ClubSettings => ({
  graceHours: 0,
  quietFrom: 23,
  quietUntil: 8,
  ownCodesPerMonth: 10,
  joinsPerAddressPerDay: 40,
  joinsPerCodePerDay: 60,
  newMemberConfigLimit: 3,
  newMemberQuotaBytes: null,
  newMemberQuotaAtEnd: "cut",
  clubTimeZone: "Europe/Moscow",
  ...forEachSwitch(() => false),
  fixedBy: { clubTimeZone: null },
  ...about,
});
