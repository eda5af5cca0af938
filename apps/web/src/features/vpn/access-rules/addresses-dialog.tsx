import { Sheet, SheetBody } from "../../../ui/sheet.tsx";
import type { Rule } from "./queries.ts";
import classes from "./rules.module.css";
import { useRulesWords } from "./words.ts";

/** All addresses that a domain resolves to. */
export function AddressesDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { addresses: words } = useRulesWords();
  return (
    <Sheet
      onClose={onClose}
      title={words.title(rule.target)}
      parts={
        <SheetBody reading>
          <p className={classes.quiet}>{words.lead}</p>
          <ul className={classes.addresses}>
            {rule.domain?.addresses.map((address) => (
              <li key={address}>{address}</li>
            ))}
          </ul>
        </SheetBody>
      }
    />
  );
}
