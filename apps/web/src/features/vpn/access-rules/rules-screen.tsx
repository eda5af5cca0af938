import { RULE_TYPES } from "@krug/domain/access-rules";
import { IconPlus } from "@tabler/icons-react";
import { useCallback, useState } from "react";
import { useListAddress } from "../../../lib/use-list-address.ts";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { ListTools, SearchField } from "../../../ui/list-tools.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Screen, useMay } from "../../club/staff/index.ts";
import { CheckPanel } from "./check-panel.tsx";
import type { Rule } from "./queries.ts";
import { RuleList } from "./rule-list.tsx";
import classes from "./rules.module.css";
import { ServersPanel } from "./servers-panel.tsx";
import { useRulesWords } from "./words.ts";

const AddDialog = lazyDialog(() => import("./add-dialog.tsx").then(({ AddDialog }) => AddDialog));
const MembersDialog = lazyDialog(() => import("./members-dialog.tsx").then(({ MembersDialog }) => MembersDialog));
const AddressesDialog = lazyDialog(() =>
  import("./addresses-dialog.tsx").then(({ AddressesDialog }) => AddressesDialog),
);
const DeleteDialog = lazyDialog(() => import("./delete-dialog.tsx").then(({ DeleteDialog }) => DeleteDialog));

/** What members reach through the tunnel: bans and exceptions, where they are in force, and a check. */
export function RulesScreen() {
  const words = useRulesWords();
  const mayModify = useMay("rules.change");
  const { asked, change } = useListAddress(1);
  const [open, setOpen] = useState<{ dialog: "members" | "addresses" | "remove"; rule: Rule } | null>(null);
  const q = asked.q ?? "";
  const shown = asked.list === "whitelist" ? "whitelist" : "blacklist";
  const search = useCallback((typed: string) => change({ q: typed }), [change]);
  const close = () => setOpen(null);
  const adding = mayModify && asked.add === "rule";
  return (
    <Screen
      title={words.title}
      readOnly={!mayModify}
      action={mayModify ? { label: words.add, icon: IconPlus, onClick: () => change({ add: "rule" }) } : null}
    >
      <ListTools>
        <SearchField label={words.search} value={q} onChange={search} />
      </ListTools>
      <div className={classes.screen}>
        <div className={classes.lists}>
          <div className={classes.narrow}>
            <Segments
              label={words.choose}
              labelHidden
              value={shown}
              onChange={(list) => change({ list: list === "blacklist" ? null : list })}
              choices={RULE_TYPES.map((value) => ({ value, label: words.lists[value] }))}
            />
          </div>
          {RULE_TYPES.map((type) => (
            <RuleList
              key={type}
              type={type}
              q={q}
              shown={type === shown}
              onWho={(rule) => setOpen({ dialog: "members", rule })}
              onAddresses={(rule) => setOpen({ dialog: "addresses", rule })}
              onRemove={(rule) => setOpen({ dialog: "remove", rule })}
            />
          ))}
        </div>
        <div className={classes.side}>
          <ServersPanel />
          <CheckPanel />
        </div>
      </div>

      {adding && <AddDialog type={shown} onClose={() => change({ add: null })} />}
      {open?.dialog === "members" && <MembersDialog rule={open.rule} onClose={close} />}
      {open?.dialog === "addresses" && <AddressesDialog rule={open.rule} onClose={close} />}
      {open?.dialog === "remove" && <DeleteDialog rule={open.rule} onClose={close} />}
    </Screen>
  );
}
