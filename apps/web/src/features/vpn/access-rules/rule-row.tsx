import { ActionIcon } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { ageText } from "../../../lib/format.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { Ring } from "../../../ui/ring.tsx";
import type { Rule } from "./queries.ts";
import classes from "./rules.module.css";
import { useRulesWords } from "./words.ts";

interface Props {
  rule: Rule;
  nowMs: number;
  onWho: () => void;
  onAddresses: () => void;
  /** null: the viewer may not delete. */
  onRemove: (() => void) | null;
}

export function RuleRow({ rule, nowMs, onWho, onAddresses, onRemove }: Props) {
  const words = useRulesWords();
  return (
    <li className={classes.rule}>
      <div className={classes.what}>
        <span className={classes.target}>{rule.target}</span>
        <span className={classes.whom}>
          {rule.appliesTo === "all" ? (
            words.all
          ) : (
            <button type="button" className={`${classes.link} k-focus`} onClick={onWho}>
              {rule.group ? words.groupNamed(rule.group.name) : words.selected}: {rule.memberCount}
            </button>
          )}
        </span>
        {rule.domain && <DomainState rule={rule} domain={rule.domain} nowMs={nowMs} onAddresses={onAddresses} />}
      </div>
      {onRemove && (
        <ActionIcon aria-label={words.remove(rule.target)} onClick={onRemove}>
          <IconTrash size={20} stroke={1.6} />
        </ActionIcon>
      )}
    </li>
  );
}

/** What a domain's rule is based on: its addresses and their age, or since when lookups fail. */
function DomainState({
  rule,
  domain,
  nowMs,
  onAddresses,
}: Pick<Props, "rule" | "nowMs" | "onAddresses"> & { domain: NonNullable<Rule["domain"]> }) {
  const { domain: words } = useRulesWords();
  const { age } = useText();
  const [first] = domain.addresses;
  const foundAgo = ageText(domain.foundAt === null ? null : Date.parse(domain.foundAt), nowMs, age);
  if (first === undefined)
    return (
      <span className={classes.state} data-state="bad">
        <Ring state="bad" size={18} />
        {domain.failure === "unavailable" ? words.unasked : words.unfound}
      </span>
    );
  const failing = domain.failingSince;
  return (
    <span className={classes.state} data-state={failing ? "warn" : undefined}>
      {failing && <Ring state="warn" size={18} />}
      <button
        type="button"
        className={`${classes.plain} k-focus`}
        title={words.show(rule.target)}
        onClick={onAddresses}
      >
        {failing
          ? words.failing(ageText(Date.parse(failing), nowMs, age), domain.addresses.length)
          : words.found(first, domain.addresses.length, foundAgo)}
      </button>
    </span>
  );
}
