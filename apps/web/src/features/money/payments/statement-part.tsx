import { LONGEST_STATEMENT } from "@krug/domain/bank-statement";
import type { StatementMatch } from "@krug/domain/match-statement";
import { Textarea } from "@mantine/core";
import "../../../ui/form.css";
import { useManyWords } from "./many-words.ts";
import classes from "./staff-payments.module.css";
import type { Claim } from "./staff-queries.ts";

interface Props {
  pasted: string;
  onPaste: (text: string) => void;
  match: StatementMatch;
  claims: readonly Claim[];
}

/** A bank's list, pasted, and what of it was found among the claims, fits several of them, or fits none. */
export function StatementPart({ pasted, onPaste, match: { matched, unclear, left }, claims }: Props) {
  const { statement: words } = useManyWords();
  const nameOf = (id: string) => {
    const claim = claims.find((one) => one.id === id);
    return claim ? `${claim.displayName} (${claim.username})` : "";
  };
  const isRead = matched.size + unclear.length + left.length > 0;
  return (
    <>
      <Textarea
        label={words.label}
        description={words.hint}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={LONGEST_STATEMENT}
        value={pasted}
        onChange={({ currentTarget: { value } }) => onPaste(value)}
      />
      <p role="status" className={classes.quiet}>
        {pasted.trim() !== "" && (isRead ? words.found(matched.size, unclear.length, left.length) : words.nothing)}
      </p>
      {unclear.length > 0 && (
        <>
          <h3 className={classes.heading}>{words.unclear}</h3>
          <ul className={classes.left}>
            {unclear.map(({ entry, ids }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a bank may list the same payment twice
              <li key={place}>
                {entry.text}
                <span>{words.fits(ids.map(nameOf).join(", "))}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {left.length > 0 && (
        <details className={classes.rest}>
          <summary className="k-focus">{words.left(left.length)}</summary>
          <ul className={classes.left}>
            {left.map(({ entry, sameName }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a bank may list the same payment twice
              <li key={place}>
                {entry.text}
                {sameName.length > 0 && <span>{words.sameName(sameName.map(nameOf).join(", "))}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
