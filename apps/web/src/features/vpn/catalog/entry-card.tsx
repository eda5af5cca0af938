import { PHONE_ADDRESS_LIMIT } from "@krug/domain/phone-limit";
import { isOwnExit } from "@krug/domain/routing-rules";
import { pictureOf, SERVICE_GROUPS } from "@krug/domain/service-groups";
import { dotted } from "../../../lib/dotted.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import { Fact } from "../../../ui/fact.tsx";
import { Tile } from "../../../ui/tile.tsx";
import { useExitText } from "../exits/index.ts";
import { haveNetworks } from "./addresses.ts";
import classes from "./catalog.module.css";
import type { Entry } from "./queries.ts";
import { useCatalogWords } from "./words.ts";

/** Of a long list its beginning is shown. */
const SHOWN = 3;

/** A row on a phone. */
export function EntryCard({ entry, used }: { entry: Entry; used: number | null }) {
  const words = useCatalogWords();
  return (
    <div className={cells.card}>
      <NameOf entry={entry} />
      <AddressesOf entry={entry} />
      <span className={cells.facts}>
        {entry.kind === "service" && (
          <Fact of={words.columns.devices}>{entry.deviceTypes.map((device) => words.devices[device]).join(", ")}</Fact>
        )}
        {used !== null && <Fact of={words.isUsed}>{words.used(used)}</Fact>}
      </span>
    </div>
  );
}

/** With a service's picture, group and sentence, and its exit if it is not the usual one. */
export function NameOf({ entry }: { entry: Entry }) {
  const words = useCatalogWords();
  const { language } = useSpeech();
  const exitText = useExitText(entry.kind === "service" && !isOwnExit(entry.exit));
  if (entry.kind === "dns") return <b className={classes.name}>{entry.name}</b>;
  const { name, group, description, exit } = entry;
  const about = [
    ...(exit === "direct" ? [] : [words.exit(exitText(exit))]),
    ...(group === "other" ? [] : [SERVICE_GROUPS[group][language]]),
    ...(description ? [description] : []),
  ];
  return (
    <span className={classes.name}>
      <Tile>{pictureOf(entry)}</Tile>
      <span>
        <b>{name}</b>
        {about.length > 0 && <small> {dotted(about)}</small>}
      </span>
    </span>
  );
}

/** How many addresses an entry has, and the first of them. */
export function AddressesOf({ entry }: { entry: Entry }) {
  const words = useCatalogWords();
  const { kind, ips } = entry;
  return (
    <span className={classes.addresses}>
      {kind === "service" && (
        <span data-over={ips.length > PHONE_ADDRESS_LIMIT || undefined}>
          {entry.kind === "service" && entry.allBut && `${words.allBut} · `}
          {words.edit.countOf(ips.length, haveNetworks(ips))}
          {ips.length > PHONE_ADDRESS_LIMIT && ` · ${words.overPhone}`}
        </span>
      )}
      <code>
        {ips.slice(0, SHOWN).join(", ")}
        {ips.length > SHOWN && ` ${words.andMore(ips.length - SHOWN)}`}
      </code>
    </span>
  );
}
