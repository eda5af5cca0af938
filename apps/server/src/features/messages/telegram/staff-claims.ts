import { payments as paymentsContract } from "@krug/contract/money/payments";
import type { Language } from "@krug/contract/refusals";
import { moneyText } from "@krug/domain/money-text";
import type { Told } from "@krug/domain/notices";
import { Refusal } from "../../../platform/refusal.ts";
import { isHidden } from "../../club/rights/index.ts";
import type { MemberRow } from "../../members/members/index.ts";
import { renderNotice } from "../outbox/index.ts";
import type { Keyboard } from "./conversation.ts";
import type { Act, Said, StaffParts } from "./staff-parts.ts";
import { staffWords } from "./staff-words.ts";

type ClaimParts = Pick<
  StaffParts,
  "db" | "clock" | "clubTime" | "settings" | "members" | "payments" | "publicUrl" | "noticeOf"
>;

type Claimed = Extract<Told, { kind: "payment_claimed" }>["params"];

const claimKey = (claimId: string) => `payment_claimed:${claimId}`;

/** Claims in staff's chats: their message, and what its buttons do. */
export function makeStaffClaims(parts: ClaimParts) {
  const { db, clock, clubTime, settings, members, payments, noticeOf } = parts;
  const page = parts.publicUrl?.protocol === "https:" ? `${parts.publicUrl.origin}/admin/payments` : null;

  const whenOf = (at: number) => (clubTime.write(at) ?? "").slice(0, 16).replace("T", " ");
  const outcomeOf = async (reader: MemberRow, claimId: string): Promise<string | null> => {
    const say = staffWords[reader.telegram_language ?? "ru"];
    const claim = await payments.claims.find(reader, claimId);
    if (claim === undefined) return say.claimGone;
    if (claim.state === "waiting") return null;
    const by = claim.decided_by === null ? undefined : await members.find(db, claim.decided_by);
    const who = by === undefined || isHidden(reader, by) ? say.somebody : by.display_name;
    const when = whenOf(claim.decided_at ?? 0);
    return claim.state === "confirmed" ? say.confirmed(who, when) : say.declined(who, when, claim.reason);
  };

  /** What this reader's message about a claim says now, with the buttons that still do something. */
  const render = async (reader: MemberRow, claimId: string): Promise<Said> => {
    const language = reader.telegram_language ?? "ru";
    const say = staffWords[language];
    const notice = await noticeOf(db, reader, claimKey(claimId));
    const outcome = await outcomeOf(reader, claimId);
    if (notice === null || notice.kind !== "payment_claimed")
      return { text: outcome ?? say.claimGone, keyboard: [], inPlace: true };
    const claim = await payments.claims.find(reader, claimId);
    const params = { ...notice.params, receipt: claim?.receipt_id != null };
    const today = clubTime.dayOf(clock.now().getTime());
    const { title, more } = renderNotice({ ...notice, params }, language, today);
    const { telegramStaffActs } = await settings.read(db);
    const open: Keyboard = page === null ? [] : [[{ text: say.open, url: page }]];
    const receipt = params.receipt ? [[{ text: say.receipt, callback_data: `claim-receipt:${claimId}` }]] : [];
    const acts: Keyboard =
      outcome === null && telegramStaffActs
        ? [
            [
              { text: confirmText(params, language), callback_data: `claim-yes:${claimId}:${params.period}` },
              { text: say.decline, callback_data: `claim-no:${claimId}` },
            ],
            ...receipt,
          ]
        : [];
    return {
      text: [`${title}\n\n${more}`, ...(outcome === null ? [] : [outcome])].join("\n\n"),
      keyboard: [...acts, ...open],
      inPlace: true,
    };
  };

  /** Of several months at once the button says how many, and the sum. */
  const confirmText = ({ months = 1, sum }: Claimed, language: Language): string => {
    const { confirm, months: inWords } = staffWords[language];
    const sums = sum.map(({ amount, currency }) => moneyText(amount, currency, language));
    return months === 1 ? confirm : `${confirm}: ${[inWords(months), ...sums].join(", ")}`;
  };

  /** Whoever comes second reads who was first. */
  const decide = async (reader: MemberRow, claimId: string, act: () => Promise<unknown>): Promise<Said> => {
    try {
      await act();
    } catch (error) {
      const isOver =
        error instanceof Refusal && ["payment.claim_decided", "payment.claim_not_found"].includes(error.code);
      if (!isOver) throw error;
    }
    return render(reader, claimId);
  };

  const acts: Record<string, Act> = {
    "claim-yes": {
      needs: "payments.set",
      async run({ actor, member }, argument) {
        const [id = "", period = ""] = argument.split(":");
        const claim = await payments.claims.find(actor, id);
        if (claim === undefined) return render(member, id);
        const wish = { userId: claim.member_id, status: "paid" as const, period };
        return decide(member, id, () => payments.claims.setStatus(actor, wish, id));
      },
    },
    "claim-no": {
      needs: "payments.set",
      async run({ actor, member, say }, id, { ask }) {
        if ((await payments.claims.find(actor, id))?.state !== "waiting") return render(member, id);
        await ask({ is: "reason", claimId: id });
        const keyboard = [
          [{ text: say.noReason, callback_data: `decline:${id}` }],
          [{ text: say.cancel, callback_data: "staff-cancel" }],
        ];
        return { text: say.askReason, keyboard };
      },
    },
    decline: {
      needs: "payments.set",
      async run({ actor, member, say }, id, { message, ask }) {
        const { data, success } = paymentsContract.decline.body.safeParse({ reason: message?.text ?? null });
        if (success) return decide(member, id, () => payments.claims.decline(actor, id, data.reason ?? null));
        await ask({ is: "reason", claimId: id });
        return { text: say.askReason };
      },
    },
    "claim-receipt": {
      needs: "payments.see",
      async run({ actor }, id, { sendPicture }) {
        const { media, content } = await payments.claims.receipt(actor, id);
        await sendPicture(content as Uint8Array, media ?? "");
        return null;
      },
    },
  };
  return { render, acts };
}

export type StaffClaims = ReturnType<typeof makeStaffClaims>;
