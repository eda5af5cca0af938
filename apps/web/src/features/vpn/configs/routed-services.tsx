import { servicesFor } from "@krug/domain/phone-limit";
import { pictureOf } from "@krug/domain/service-groups";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { clubNow } from "../../../lib/club-clock.ts";
import { sinceText } from "../../../lib/format.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { Tile } from "../../../ui/tile.tsx";
import { type Config, servicesQuery } from "./queries.ts";
import classes from "./routed-services.module.css";
import { useServicesWords } from "./services-words.ts";
import { type ChosenServices, turned, useChosenServices } from "./use-chosen-services.ts";
import type { Lists } from "./use-new-config.ts";
import { WhyNot } from "./why-not-switched.tsx";

const RoutedDialog = lazyDialog(() => import("./routed-dialog.tsx").then(({ RoutedDialog }) => RoutedDialog));

/** A card has room for these. Of more, all are in a sheet. */
const SHOWN = 6;

type Service = Lists["services"][number];

/** On the card of a device whose server routes: a press switches a service, and the file stays. */
export function RoutedServices({ config }: { config: Config }) {
  const words = useServicesWords().routed;
  const { common } = useMemberText();
  const { create } = useDevices();
  const { language } = useSpeech();
  const list = useQuery(servicesQuery);
  const choice = useChosenServices(config);
  const [isOpen, setIsOpen] = useState(false);
  const headingId = useId();
  const offered = servicesFor(config.deviceType, list.data ?? []);
  // The order stays while somebody presses.
  const [first] = useState(choice.chosen);
  const shown = shownOf(offered, first, choice.chosen);
  return (
    <fieldset className={classes.services} aria-labelledby={headingId}>
      <p id={headingId} className={classes.title}>
        {words.title}
      </p>
      <p className={classes.hint}>
        {list.data && offered.length === 0 ? create.noServices : config.needsDownload ? words.once : words.stays}
      </p>
      {list.isError && !list.data && (
        <p className={classes.hint}>
          {words.listFailed}{" "}
          <button type="button" className={`${classes.more} k-focus`} onClick={() => void list.refetch()}>
            {common.retry}
          </button>
        </p>
      )}
      {config.exitsDown.map(({ server, since, instead, other }) => (
        <p key={server} className={classes.down}>
          {since === null
            ? words.making(server)
            : words.down[instead](server, sinceText(Date.parse(since), clubNow(), language), other ?? "")}
        </p>
      ))}
      <ul className={classes.chips}>
        {shown.map((service) => (
          <li key={service.id}>
            <Chip service={service} choice={choice} />
          </li>
        ))}
        {offered.length > shown.length && (
          <li>
            <button
              type="button"
              className={`${classes.chip} k-focus`}
              aria-label={words.allOf(config.name)}
              aria-haspopup="dialog"
              onClick={() => setIsOpen(true)}
            >
              {words.more(offered.length - shown.length)}
            </button>
          </li>
        )}
      </ul>
      {isOpen ? (
        <RoutedDialog config={config} services={offered} choice={choice} onClose={() => setIsOpen(false)} />
      ) : (
        <WhyNot choice={choice} />
      )}
    </fieldset>
  );
}

function Chip({ service, choice }: { service: Service; choice: ChosenServices }) {
  const words = useServicesWords().routed;
  const isOn = choice.chosen.includes(service.id);
  return (
    <button
      type="button"
      className={`${classes.chip} k-focus`}
      aria-pressed={isOn}
      onClick={() => choice.choose(turned(choice.chosen, service.id))}
    >
      <Tile>{pictureOf(service)}</Tile>
      <span>
        {service.name}
        {service.exit === "closed" && <span className={classes.closed}> {words.closed}</span>}
      </span>
    </button>
  );
}

/** Chosen ones first in line, shown in the catalogue's order. */
function shownOf(offered: readonly Service[], first: readonly string[], chosen: readonly string[]): Service[] {
  // A button instead of a single service would hide it for nothing.
  if (offered.length <= SHOWN + 1) return [...offered];
  const isWanted = ({ id }: Service) => first.includes(id) || chosen.includes(id);
  const inLine = [...offered.filter(isWanted), ...offered.filter((service) => !isWanted(service))];
  const shown = new Set(inLine.slice(0, SHOWN));
  return offered.filter((service) => shown.has(service));
}
