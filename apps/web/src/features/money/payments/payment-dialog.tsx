import type { PaymentLength } from "@krug/domain/prepaid-months";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useNow } from "../../../lib/use-now.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { lazyPart } from "../../../ui/lazy.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Sheet, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import type { Me } from "../../access/auth/index.ts";
import { useAheadWords } from "./ahead-words.ts";
import { HowToPay } from "./how-to-pay.tsx";
import { LengthField } from "./length-field.tsx";
import { OwnHistory } from "./own-history.tsx";
import classes from "./payment-dialog.module.css";
import { type OwnPayments, ownPaymentsQuery } from "./queries.ts";
import { ReceiptField } from "./receipt-field.tsx";
import { stageOf } from "./stage.ts";
import { Standing } from "./standing.tsx";
import { useClaim } from "./use-claim.ts";
import { WaitingClaim } from "./waiting-claim.tsx";

const LedgerOf = lazyPart(() => import("./ledger-of.tsx").then(({ LedgerOf }) => LedgerOf));

interface Props {
  me: Me;
  onClose: () => void;
  /** Opens a message to support with this text, instead of this dialog. */
  onAsk: (question: string) => void;
}

/** What to pay and how, 'I have paid', its outcome, and the member's own months (decisions, section 5). */
export function PaymentDialog({ me, onClose, onAsk }: Props) {
  const { payments } = useCircle();
  const own = useQuery({ ...ownPaymentsQuery, staleTime: 0 });
  return (
    <Sheet
      onClose={onClose}
      title={payments.title}
      parts={
        own.data ? (
          <Payment me={me} own={own.data} onAsk={onAsk} />
        ) : (
          <SheetBody>
            <Loading of={own} failed={payments.loadFailed} room={240} />
          </SheetBody>
        )
      }
    />
  );
}

function Payment({ me, own, onAsk }: Pick<Props, "me" | "onAsk"> & { own: OwnPayments }) {
  const { payments } = useCircle();
  const nowMs = useNow(60_000);
  const [receipt, setReceipt] = useState<string | null>(null);
  const [wantsAhead, setWantsAhead] = useState(false);
  const aheadWords = useAheadWords();
  const [asked, setAsked] = useState<PaymentLength>(1);
  const lengths = lengthsOf(own);
  const { months, extendsTo } = lengths.find((length) => length.months === asked) ?? lengths[0];
  const claim = useClaim();
  const stage = stageOf(own, me.entitlement.allowed || me.entitlement.reason === "quota");

  // The pressed button disappears with its stage: the focus moves to what replaces it.
  const standing = useRef<HTMLDivElement>(null);
  const before = useRef(stage);
  useEffect(() => {
    if (before.current !== stage) standing.current?.focus();
    before.current = stage;
  }, [stage]);

  const send = () => claim.mutate({ receipt, months }, { onSuccess: () => setReceipt(null) });
  // Once the month is settled, what is offered are the months after.
  const canPayAhead = !own.canClaim && own.offers.length > 0 && stage !== "waiting";
  const canClaim = stage !== "waiting" && (own.canClaim || (canPayAhead && wantsAhead));
  return (
    <>
      <SheetBody>
        <div className={classes.parts}>
          <div ref={standing} tabIndex={-1} className={classes.standing}>
            <Standing stage={stage} own={{ ...own, wouldExtendTo: extendsTo }} me={me} nowMs={nowMs} onAsk={onAsk} />
          </div>
          {stage === "waiting" && own.claim && <WaitingClaim claim={own.claim} />}
          {canPayAhead && !wantsAhead && (
            <Button
              variant="outline"
              onClick={() => {
                setWantsAhead(true);
                standing.current?.focus();
              }}
            >
              {aheadWords.open}
            </Button>
          )}
          {canClaim && (
            <>
              {(lengths.length > 1 || canPayAhead) && (
                <LengthField lengths={lengths} value={months} onChange={setAsked} />
              )}
              <HowToPay price={lengths.length > 1 || canPayAhead ? null : own.price} details={own.details} />
              <ReceiptField receipt={receipt} onReceipt={setReceipt} />
            </>
          )}
          <OwnHistory history={own.history} nowMs={nowMs} />
          <LedgerOf member={null} within={ownPaymentsQuery.queryKey} nowMs={nowMs} />
        </div>
      </SheetBody>
      {canClaim && (
        <SheetFooter>
          <div className={classes.footer}>
            <FormMessage error={claim.error} failed={payments.claimFailed} />
            <SubmitButton
              type="button"
              fullWidth
              busy={claim.isPending}
              label={payments.claim}
              working={payments.claiming}
              onClick={send}
            />
          </div>
        </SheetFooter>
      )}
    </>
  );
}

type Offer = Omit<OwnPayments["offers"][number], "amount"> & { amount: string | null };

/** A single month is left out if it has no price and others have, or is settled. */
function lengthsOf({ price, current, canClaim, offers, wouldExtendTo }: OwnPayments): [Offer, ...Offer[]] {
  const one: Offer = {
    months: 1,
    amount: price?.amount ?? null,
    currency: price?.currency ?? current.currency,
    extendsTo: wouldExtendTo,
  };
  const [first, ...others] = offers;
  if (first === undefined) return [one];
  return price === null || !canClaim ? [first, ...others] : [one, first, ...others];
}
