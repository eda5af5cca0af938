import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useSettled } from "../../../lib/use-settled.ts";
import { Ring } from "../../../ui/ring.tsx";
import type { Me } from "../../access/auth/index.ts";
import { ownPaymentsQuery } from "./queries.ts";

interface Props {
  me: Me;
  variant: "subtle" | "outline";
  className?: string;
  onOpen: () => void;
  onOpenAhead: () => void;
}

/** Opens payment; its label depends on the payment's state. Unlimited members have none. */
export function PaymentButton({ me, variant, className = "", onOpen, onOpenAhead }: Props) {
  const { dashboard } = useMemberText();
  const { reason } = me.entitlement;
  const allowed = me.entitlement.allowed || reason === "quota";
  const settled = useSettled();
  const { data: own } = useQuery({ ...ownPaymentsQuery, enabled: settled && reason !== "unlimited" });
  if (reason === "unlimited") return null;
  const claim = own?.claim ?? null;
  const label =
    claim === null
      ? own?.canClaim === false || reason === "referral"
        ? dashboard.payments
        : allowed
          ? dashboard.payMore
          : dashboard.payNow
      : claim.state === "waiting"
        ? dashboard.payWaiting
        : dashboard.payDeclined;
  const ring = claim && <Ring state={claim.state === "waiting" ? "wait" : "warn"} size={18} />;
  return (
    <Button variant={variant} className={className} leftSection={ring} onClick={onOpen} onPointerEnter={onOpenAhead}>
      {label}
    </Button>
  );
}
