import { whyServiceDisabled } from "@krug/domain/phone-limit";
import { inGroups, pictureOf, SERVICE_GROUPS } from "@krug/domain/service-groups";
import { wholeFamilies } from "@krug/wireguard/addresses";
import { Checkbox } from "@mantine/core";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Tile } from "../../../ui/tile.tsx";
import classes from "./services-field.module.css";
import { useServicesWords } from "./services-words.ts";
import type { Lists } from "./use-new-config.ts";

type Service = Lists["services"][number];

interface Props {
  services: readonly Service[];
  taken: readonly Service[];
  /** A phone's file holds only so many addresses. */
  isLimited: boolean;
  /** The server decides: no file names addresses, and a service may be closed. */
  isRouted: boolean;
  onTurn: (id: string, isChosen: boolean) => void;
}

/** Services by group; of a single group without its name. */
export function ServiceList({ services, ...rest }: Props) {
  const { language } = useSpeech();
  const groups = inGroups(services);
  return groups.map(({ group, services: ofGroup }) => (
    <section key={group} aria-label={SERVICE_GROUPS[group][language]}>
      {groups.length > 1 && (
        <p className={classes.group} aria-hidden="true">
          {SERVICE_GROUPS[group][language]}
        </p>
      )}
      <ul className={classes.list}>
        {ofGroup.map((service) => (
          <ServiceRow key={service.id} service={service} {...rest} />
        ))}
      </ul>
    </section>
  ));
}

function ServiceRow({ service, taken, isLimited, isRouted, onTurn }: Omit<Props, "services"> & { service: Service }) {
  const { create } = useDevices();
  const { routed } = useServicesWords();
  const tooMany = isLimited && whyServiceDisabled(service, taken, "phone") === "config.phone_limit";
  return (
    <li className={classes.item} data-over={tooMany || undefined}>
      <Checkbox
        classNames={{
          root: classes.root ?? "",
          body: classes.body ?? "",
          inner: classes.mark ?? "",
          labelWrapper: classes.labelWrapper ?? "",
          label: classes.row ?? "",
          description: classes.over ?? "",
        }}
        label={
          <>
            <Tile>{pictureOf(service)}</Tile>
            <span className={classes.about}>
              <span className={classes.name}>
                <span>{service.name}</span> {/* Two networks are the whole internet, so their number means nothing. */}
                {!isRouted && wholeFamilies(service.ips).length === 0 && (
                  <span className={classes.count}>{create.addresses(service.ips.length)}</span>
                )}
                {isRouted && service.exit === "closed" && <span className={classes.count}>{routed.closed}</span>}
              </span>{" "}
              {service.description !== "" && <span className={classes.sentence}>{service.description}</span>}
            </span>
          </>
        }
        description={tooMany ? create.phoneLimit : undefined}
        disabled={tooMany}
        checked={taken.includes(service)}
        onChange={(event) => onTurn(service.id, event.currentTarget.checked)}
      />
    </li>
  );
}
