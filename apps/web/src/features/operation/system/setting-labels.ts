import type { SystemWords } from "./words.ts";

/** The label of each of the club's settings. */
export const labelsOf = (words: SystemWords["settings"]) => ({
  clubTimeZone: words.zone,
  graceHours: words.grace,
  quietFrom: words.quietFrom,
  quietUntil: words.quietUntil,
  dormantAfterDays: words.dormant,
  ownCodesPerMonth: words.codes,
  joinsPerAddressPerDay: words.joinsAddress,
  joinsPerCodePerDay: words.joinsCode,
  newMemberConfigLimit: words.limit,
  newMemberQuotaBytes: words.traffic,
  newMemberQuotaAtEnd: words.trafficEnd,
  newMemberQuotaSlowMbit: words.trafficSlow,
  moderatorMayInvites: words.mayInvites,
  moderatorMayInterfaces: words.mayInterfaces,
  moderatorMayPasswordLinks: words.mayPasswordLinks,
});

/** Every setting by its label, and the target of a link to it: its screen, and `set`. */
export const settingsOf = ({ settings, gate, messenger }: SystemWords) => [
  { place: "payments", set: "price", title: settings.price },
  ...Object.entries(labelsOf(settings))
    // They are next to the traffic quota, and only if there is one.
    .filter(([set]) => set !== "newMemberQuotaAtEnd" && set !== "newMemberQuotaSlowMbit")
    .map(([set, title]) => ({ place: "system", set, title })),
  { place: "system", set: "blockedCountries", title: gate.countries },
  { place: "system", set: "exceptions", title: gate.exceptions },
  { place: "system", set: "supportContact", title: gate.support },
  { place: "system", set: "mirrorUrl", title: gate.mirror },
  { place: "system", set: "telegramRequired", title: messenger.require },
  { place: "system", set: "telegramStaffActs", title: messenger.staffActs },
];
