import { isSettled, whyNotStatus } from "@krug/domain/payment-rules";
import { IconBan, IconCalendarPlus, IconCheck, IconHistory, IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import type { MenuAction } from "../../../ui/more-menu.tsx";
import { useViewed } from "../../club/staff/index.ts";
import { CLUB_PAYMENTS } from "./queries.ts";
import type { Payment, Settable } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";

const StatusDialog = lazyDialog(() => import("./status-dialog.tsx").then(({ StatusDialog }) => StatusDialog));
const HistoryDialog = lazyDialog(() => import("./history-dialog.tsx").then(({ HistoryDialog }) => HistoryDialog));

export type PaymentActions = ReturnType<typeof usePaymentActions>;

const STATUSES = [
  { status: "paid", icon: IconCheck },
  { status: "overdue", icon: IconX },
  { status: "not_required", icon: IconBan },
] as const;

type Open = { member: { id: string; displayName: string } } & (
  | { dialog: "history" }
  | { dialog: "set"; to: Settable; ahead: boolean; period?: string | undefined }
);

/** Staff's actions for a member's month, by the panel's own rule, and their dialogs. */
export function usePaymentActions({ currentPeriod, onSet }: { currentPeriod: string; onSet?: () => void }) {
  const words = useStaffPaymentsWords();
  const { viewedRole } = useViewed();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const memberOf = ({ userId, displayName }: Payment) => ({ id: userId, displayName });

  /** Why a status cannot be set, as text; null: it can. */
  const whyNot = ({ status, period, isUnlimited, paidMonths }: Payment, to: Settable): string | null => {
    const reason = whyNotStatus({ role: viewedRole, from: status, to, period, currentPeriod, isUnlimited, paidMonths });
    if (reason === null) return null;
    return reason === "payment.unlimited_member" ? words.unlimitedMember : words.onlyCurrent;
  };
  /** What this role may set for a month in this state. */
  const offered = ({ status, period }: Payment) =>
    STATUSES.filter(
      ({ status: to }) =>
        to !== status &&
        !["auth.forbidden", "payment.transition"].includes(
          whyNotStatus({ role: viewedRole, from: status, to, period, currentPeriod: period, isUnlimited: false }) ?? "",
        ),
    );
  const set = (payment: Payment, to: Settable, ahead = false) =>
    setOpen({
      dialog: "set",
      member: memberOf(payment),
      to,
      ahead,
      period: payment.period > currentPeriod ? payment.period : undefined,
    });
  /** Several months can follow a settled one. */
  const canPayAhead = ({ status, period, isUnlimited }: Payment) =>
    isSettled(status) && period === currentPeriod && !isUnlimited;
  const close = () => setOpen(null);

  return {
    set,
    whyNot,
    offered,
    canPayAhead,
    groupsFor: (payment: Payment): MenuAction[][] => [
      [
        ...(canPayAhead(payment)
          ? [{ label: words.actions.ahead, icon: IconCalendarPlus, onClick: () => set(payment, "paid", true) }]
          : []),
        ...offered(payment).map(({ status, icon }) => ({
          label: words.actions[status],
          icon,
          danger: status === "overdue",
          reason: whyNot(payment, status),
          onClick: () => set(payment, status),
        })),
      ],
      [
        {
          label: words.actions.history,
          icon: IconHistory,
          onClick: () => setOpen({ dialog: "history", member: memberOf(payment) }),
        },
      ],
    ],
    dialogs: (
      <>
        {open?.dialog === "set" && (
          <StatusDialog
            member={open.member}
            to={open.to}
            ahead={open.ahead}
            period={open.period}
            onClose={close}
            onDone={() => {
              close();
              void queryClient.invalidateQueries({ queryKey: CLUB_PAYMENTS });
              onSet?.();
            }}
          />
        )}
        {open?.dialog === "history" && <HistoryDialog member={open.member} onClose={close} />}
      </>
    ),
  };
}
