import type { Contract } from "@krug/contract/api";
import type { AdminTelegramAnswer } from "@krug/contract/messages/telegram";
import { isoOf } from "@krug/domain/moment";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Auth } from "../../access/auth/index.ts";
import type { SecurityGate } from "../../access/security-gate/index.ts";
import { seesVip } from "../../club/rights/index.ts";
import type { SettingsParts } from "../../club/settings/index.ts";
import { isTelegramConnected, type Members } from "../../members/members/index.ts";
import { makeChangeTelegram } from "./change-settings.ts";
import type { Telegram } from "./index.ts";

interface Parts extends SettingsParts, Platform {
  members: Members;
  telegram: Telegram;
  auth: Pick<Auth, "openInBrowser">;
  securityGate: Pick<SecurityGate, "refuseDenied">;
}

export function makeTelegramRoutes(parts: Parts): Handlers<Contract["telegram"]> {
  const { db, transact, settings, members } = parts;
  const { states, codes, linking, miniApp } = parts.telegram;
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

    async openApp(call) {
      await parts.securityGate.refuseDenied(call.address);
      const opened = await miniApp.open(call.body.initData, call);
      if ("toLink" in opened) {
        call.reply.cookie("session", null);
        return { signedIn: null, toLink: opened.toLink };
      }
      const { member, session } = opened;
      const user = members.toAnswer(member, {
        club: await settings.read(db),
        now: parts.clock.now(),
        seesInviteCode: false,
      });
      parts.auth.openInBrowser(call, session);
      return { signedIn: { token: session.token, user: await user }, toLink: null };
    },

    async linkApp({ actor, body }) {
      await miniApp.link(actor.memberId, body.ticket);
      return { telegramConnected: true };
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
