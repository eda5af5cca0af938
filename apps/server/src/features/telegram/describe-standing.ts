import type { ConfigAnswer } from "@krug/contract/configs";
import type { Language } from "@krug/contract/refusals";
import { NO_LIMIT } from "@krug/domain/config-rules";
import { isActiveHandshake, relativeAge } from "@krug/domain/handshake";
import { dashboardSubscriptionLabel } from "@krug/domain/subscription-label";
import { type MemberRow, standingOf } from "../members/index.ts";
import type { BotParts } from "./parts.ts";
import { words } from "./words.ts";

/** A message holds 4,096 characters; a line here has at most 80. */
const MOST_LINES = 40;
/** A list has at most this many rows (decisions, section 13). */
const MOST_CONFIGS = 1_000;

/** What /status and /configs tell members about themselves, in the dashboard's words. */
export function makeDescribeStanding(parts: BotParts) {
  const { db, clock, clubTime, settings, configsOf } = parts;

  const dayText = (at: Date | null, language: Language) =>
    at === null
      ? ""
      : new Intl.DateTimeFormat(language === "en" ? "en-GB" : "ru", { dateStyle: "long", timeZone: "UTC" }).format(
          new Date(clubTime.dayOf(at.getTime())),
        );

  return {
    async status(member: MemberRow, language: Language): Promise<string> {
      const say = words[language];
      if (member.is_active !== 1) return say.blocked;
      const { key, date } = dashboardSubscriptionLabel(standingOf(member, await settings.read(db)), clock.now());
      const label = say.subscription[key];
      const limit = member.config_limit === NO_LIMIT ? null : member.config_limit;
      return [
        say.account(member.username),
        typeof label === "string" ? label : label(dayText(date, language)),
        say.devices((await configsOf(member.id, MOST_CONFIGS)).length, limit),
      ].join("\n");
    },

    /** `files`: the devices whose file the panel can give. */
    async configs(member: MemberRow, language: Language): Promise<{ text: string; files: ConfigAnswer[] }> {
      const say = words[language];
      if (member.is_active !== 1) return { text: say.blocked, files: [] };
      const all = await configsOf(member.id, MOST_CONFIGS);
      if (all.length === 0) return { text: say.noDevices, files: [] };
      const lines = all
        .slice(0, MOST_LINES)
        .map((config) => `${config.name}: ${stateText(config, language, clock.now())}`);
      if (all.length > lines.length) lines.push(say.more(all.length - lines.length));
      const files = all.filter(hasFile);
      if (files.length > 0) lines.push("", say.filesBelow);
      return { text: lines.join("\n"), files };
    },

    /** The member's own config, if it is one whose file the panel can give. */
    withFile: async (member: MemberRow, id: string): Promise<ConfigAnswer | undefined> =>
      member.is_active === 1
        ? (await configsOf(member.id, MOST_CONFIGS)).find((config) => config.id === id && hasFile(config))
        : undefined,
  };
}

/** A key made in the browser is only there, and of a device that moved in nobody knows the routes. */
const hasFile = ({ keyOrigin, services }: ConfigAnswer) => keyOrigin === "panel" && services.length > 0;

function stateText({ state, isBlocked, stats }: ConfigAnswer, language: Language, now: Date): string {
  const say = words[language].device;
  if (isBlocked) return say.blocked;
  if (state !== "applied") return state === "pending" ? say.pending : say.off;
  const { unit, count } = relativeAge(stats.lastHandshake, now);
  if (unit === "never") return say.never;
  return isActiveHandshake(stats.lastHandshake, now)
    ? say.online
    : say.seen(new Intl.RelativeTimeFormat(language).format(-count, unit));
}
