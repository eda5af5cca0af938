import type { Language } from "@krug/contract/refusals";
import type { ConfigAnswer } from "@krug/contract/vpn/configs";
import { NO_LIMIT } from "@krug/domain/config-rules";
import { deviceState } from "@krug/domain/device-state";
import { type Entitlement, entitlement, graceEnd } from "@krug/domain/entitlement";
import { relativeAge } from "@krug/domain/handshake";
import { ownSubscription, staffSubscriptionLabel } from "@krug/domain/subscription-label";
import type { ClubSettings } from "../../club/settings/index.ts";
import { type MemberRow, slowedNow, standingOf } from "../../members/members/index.ts";
import type { BotParts } from "./parts.ts";
import { words } from "./words.ts";

/** A message holds 4,096 characters; a line here has at most 80. */
const MOST_LINES = 40;
/** A list has at most this many rows (decisions, section 13). */
const MOST_CONFIGS = 1_000;

/** Members' standing for /status and /configs, in the dashboard's words. */
export function makeDescribeStanding(parts: BotParts) {
  const { db, clock, clubTime, settings, configsOf } = parts;

  const written = (at: number, language: Language, withTime = false) =>
    new Intl.DateTimeFormat(language === "en" ? "en-GB" : "ru", {
      dateStyle: "long",
      timeZone: "UTC",
      ...(withTime && { timeStyle: "short" }),
    }).format(new Date(clubTime.toWall(at)));

  const subscriptionText = (member: MemberRow, club: ClubSettings, right: Entitlement, language: Language): string => {
    const say = words[language].subscription;
    const now = clock.now();
    const standing = standingOf(member, club);
    const own = ownSubscription(
      {
        isUnlimited: standing.isUnlimited,
        isTrial: member.subscription_source === "trial",
        isByReferral: staffSubscriptionLabel(standing, now).key === "referral",
        isQuotaUsedUp: right.reason === "quota",
        subscriptionEnd: standing.subscriptionEnd,
        graceUntil: graceEnd(standing),
      },
      now,
    );
    switch (own.key) {
      case "grace":
        return say.grace(written(own.end, language), written(own.until, language, true));
      case "until":
      case "trial":
      case "expired":
        return say[own.key](written(own.end, language));
      default:
        return say[own.key];
    }
  };

  const slowText = (member: MemberRow, language: Language): string[] => {
    const slow = slowedNow(member, clock.now().getTime());
    return slow === null ? [] : [words[language].slow(written(slow.until, language), slow.mbit)];
  };

  return {
    async status(member: MemberRow, language: Language): Promise<string> {
      const say = words[language];
      if (member.is_active !== 1) return say.blocked;
      const club = await settings.read(db);
      const right = entitlement(standingOf(member, club), clock.now());
      const limit = member.config_limit === NO_LIMIT ? null : member.config_limit;
      return [
        say.account(member.username),
        subscriptionText(member, club, right, language),
        ...(right.reason === "quota" && right.until ? [say.quota(written(right.until.getTime(), language))] : []),
        ...slowText(member, language),
        say.devices((await configsOf(member.id, MOST_CONFIGS)).length, limit),
      ].join("\n");
    },

    /** `files`: the devices whose file the panel has. */
    async configs(member: MemberRow, language: Language): Promise<{ text: string; files: ConfigAnswer[] }> {
      const say = words[language];
      if (member.is_active !== 1) return { text: say.blocked, files: [] };
      const all = await configsOf(member.id, MOST_CONFIGS);
      const right = entitlement(standingOf(member, await settings.read(db)), clock.now());
      if (all.length === 0) return { text: say.noDevices, files: [] };
      const lines = all
        .slice(0, MOST_LINES)
        .map((config) => `${config.name}: ${stateText(config, right, language, clock.now())}`);
      if (all.length > lines.length) lines.push(say.more(all.length - lines.length));
      const files = all.filter(hasFile);
      if (files.length > 0) lines.push("", say.filesBelow);
      return { text: lines.join("\n"), files };
    },

    /** The member's own config, if the panel has its file. */
    withFile: async (member: MemberRow, id: string): Promise<ConfigAnswer | undefined> =>
      member.is_active === 1
        ? (await configsOf(member.id, MOST_CONFIGS)).find((config) => config.id === id && hasFile(config))
        : undefined,
  };
}

/** A key made in the browser exists only there, and nobody knows the routes of an imported device. */
const hasFile = ({ keyOrigin, services }: ConfigAnswer) => keyOrigin === "panel" && services.length > 0;

function stateText(config: ConfigAnswer, right: Entitlement, language: Language, now: Date): string {
  const say = words[language].device;
  const state = deviceState(config, right, now);
  if (state !== "seen") return say[state];
  const { unit, count } = relativeAge(config.stats.lastHandshake, now);
  return unit === "never" ? say.never : say.seen(new Intl.RelativeTimeFormat(language).format(-count, unit));
}
