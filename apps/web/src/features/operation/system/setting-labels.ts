import type { SystemWords } from "./words.ts";

/** What each of the club's settings is called. */
export const labelsOf = (words: SystemWords["settings"]) => ({
  clubTimeZone: words.zone,
  graceHours: words.grace,
  quietFrom: words.quietFrom,
  quietUntil: words.quietUntil,
  ownCodesPerMonth: words.codes,
  joinsPerAddressPerDay: words.joinsAddress,
  joinsPerCodePerDay: words.joinsCode,
  newMemberConfigLimit: words.limit,
  newMemberQuotaBytes: words.traffic,
  newMemberQuotaAtEnd: words.trafficEnd,
  moderatorMayInvites: words.mayInvites,
  moderatorMayInterfaces: words.mayInterfaces,
  moderatorMayPasswordLinks: words.mayPasswordLinks,
});

/** Every setting by what it is called, and what a link to it names: its screen, and `set`. */
export const settingsOf = ({ settings, gate, messenger }: SystemWords) => [
  { place: "payments", set: "price", title: settings.price },
  ...Object.entries(labelsOf(settings))
    // It is beside the traffic, and only where that is limited.
    .filter(([set]) => set !== "newMemberQuotaAtEnd")
    .map(([set, title]) => ({ place: "system", set, title })),
  { place: "system", set: "blockedCountries", title: gate.countries },
  { place: "system", set: "exceptions", title: gate.exceptions },
  { place: "system", set: "supportContact", title: gate.support },
  { place: "system", set: "mirrorUrl", title: gate.mirror },
  { place: "system", set: "telegramRequired", title: messenger.require },
];
