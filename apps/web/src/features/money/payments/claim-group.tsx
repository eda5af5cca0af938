import { moneyText } from "@krug/domain/money-text";
import { Button, Checkbox } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import { memo } from "react";
import { dotted } from "../../../lib/dotted.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import type { ClaimGroup as Group } from "./claim-groups.ts";
import { useManyWords } from "./many-words.ts";
import classes from "./staff-payments.module.css";
import type { Claim } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";

interface Props {
  group: Group;
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[], isChosen: boolean) => void;
  onReceipt: (claim: Claim) => void;
}

/** Claims that are chosen by one press, or one by one. Those that were found are folded: they need no look. */
export function ClaimGroup({ group: { name, claims, lines }, chosen, onChoose, onReceipt }: Props) {
  const words = useManyWords();
  const ids = claims.map(({ id }) => id);
  const count = ids.filter((id) => chosen.has(id)).length;
  const list = (
    <ul className={classes.left}>
      {claims.map((claim) => (
        <Choice
          key={claim.id}
          claim={claim}
          line={lines.get(claim.id) ?? null}
          isChosen={chosen.has(claim.id)}
          onChoose={onChoose}
          onReceipt={onReceipt}
        />
      ))}
    </ul>
  );
  return (
    <section>
      <Checkbox
        className={classes.groupHead ?? ""}
        label={words.groups[name](claims.length)}
        checked={count === claims.length}
        indeterminate={count > 0 && count < claims.length}
        onChange={({ currentTarget: { checked } }) => onChoose(ids, checked)}
      />
      {name === "found" ? (
        <details className={classes.rest}>
          <summary className="k-focus">{words.list(claims.length)}</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </section>
  );
}

interface ChoiceProps {
  claim: Claim;
  line: string | null;
  isChosen: boolean;
  onChoose: (ids: readonly string[], isChosen: boolean) => void;
  onReceipt: (claim: Claim) => void;
}

/** A press re-renders its own row only, however many there are. */
const Choice = memo(function Choice({ claim, line, isChosen, onChoose, onReceipt }: ChoiceProps) {
  const { months: inWords, unlimitedMember } = useStaffPaymentsWords();
  const words = useManyWords();
  const { language } = useSpeech();
  const { id, displayName, username, months, amount, currency, isUnlimited, receipt } = claim;
  return (
    <li className={classes.choice}>
      <Checkbox
        label={`${displayName} (${username})`}
        description={dotted([
          ...(isUnlimited ? [unlimitedMember] : []),
          ...(months > 1 ? [inWords(months)] : []),
          ...(amount === null ? [] : [moneyText(amount, currency, language)]),
          ...(line === null ? [] : [words.statement.entry(line)]),
        ])}
        checked={isChosen}
        onChange={({ currentTarget: { checked } }) => onChoose([id], checked)}
      />
      {receipt !== null && (
        <Button variant="subtle" aria-label={words.receiptOf(displayName)} onClick={() => onReceipt(claim)}>
          {words.receipt}
        </Button>
      )}
    </li>
  );
});
