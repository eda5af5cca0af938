import type { Contract } from "@krug/contract/api";
import type { AdminTelegramAnswer } from "@krug/contract/messages/telegram";
import { isoOf } from "@krug/domain/moment";
import type { Db } from "../../../platform/database/database.ts";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { seesVip } from "../../club/rights/index.ts";
import type { SettingsParts } from "../../club/settings/index.ts";
import { isTelegramConnected, type Members } from "../../members/members/index.ts";
import { makeChangeTelegram } from "./change-settings.ts";
import type { Telegram } from "./index.ts";

interface Parts extends SettingsParts {
  db: Db;
  members: Members;
  telegram: Telegram;
}

export function makeTelegramRoutes(parts: Parts): Handlers<Contract["telegram"]> {
  const { db, transact, settings, members } = parts;
  const { states, codes, linking } = parts.telegram;
  const changeTelegram = makeChangeTelegram(parts);

  const shown = async (actor: Actor): Promise<AdminTelegramAnswer> => {
    const state = await states.read(db);
    const club = await settings.read(db);
    return {
      enabled: state.enabled,
      reason: state.reason,
      reasonSince: isoOf(state.since),
      botName: state.username,
      required: club.telegramRequired,
      requiredNow: await states.isRequired(db),
      staffActs: club.telegramStaffActs,
      connectedMembers: await members.countTelegramConnected(db, seesVip(actor)),
    };
  };

  return {
    async status({ actor }) {
      const member = (await members.find(db, actor.memberId)) ?? refuse("member.not_found");
      const state = await states.read(db);
      const connected = isTelegramConnected(member);
      return {
        telegramConnected: connected,
        enabled: states.isReady(state),
        required: await states.isRequired(db),
        botName: state.username,
        account: connected ? member.telegram_name : null,
        botBlocked: member.telegram_blocked_at !== null,
      };
    },

    async generateCode({ actor, body }) {
      if (body.userId !== actor.memberId) refuse("auth.not_yourself", { field: "userId" });
      const state = await states.read(db);
      if (!state.enabled || state.username === null) refuse("telegram.unavailable");
      const { code, expiresAt } = await transact(async (tx) => {
        // The lock keeps two tabs from getting different codes.
        const member = (await members.lock(tx, actor.memberId)) ?? refuse("member.not_found");
        if (isTelegramConnected(member)) refuse("telegram.already_linked");
        return codes.give(tx, member.id, "link");
      });
      const deepLink = `https://t.me/${state.username}?start=${code}`;
      return { telegramCode: code, deepLink, botName: state.username, expiresAt: isoOf(expiresAt) };
    },

    async unlinkCode({ actor, params }) {
      if (!isOneself(actor, params.id)) refuse("auth.not_yourself", { field: "id" });
      const { code, expiresAt } = await transact(async (tx) => {
        const member = (await members.lock(tx, actor.memberId)) ?? refuse("member.not_found");
        if (!isTelegramConnected(member)) refuse("telegram.not_connected");
        return codes.give(tx, member.id, "unlink");
      });
      return { code, expiresAt: isoOf(expiresAt) };
    },

    async unlink({ actor, body }) {
      if (body.userId !== actor.memberId) refuse("auth.not_yourself", { field: "userId" });
      await linking.unlinkMember(actor.memberId, body.confirmationCode);
      return { telegramConnected: false };
    },

    settings: ({ actor }) => shown(actor),
    async change({ actor, body }) {
      await changeTelegram(actor, body);
      return shown(actor);
    },
  };
}

const isOneself = ({ memberId, username }: Actor, idOrName: string) =>
  idOrName === memberId || idOrName.toLowerCase() === username.toLowerCase();
