import { countAddresses, PHONE_ADDRESS_LIMIT, servicesFor } from "@krug/domain/phone-limit";
import { isFoundBy, SEARCHED_FROM } from "@krug/domain/service-groups";
import { familiesMergedToWhole } from "@krug/wireguard/addresses";
import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useId, useMemo, useState } from "react";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { AskService } from "./ask-service.tsx";
import type { Config } from "./queries.ts";
import { ServiceList } from "./service-list.tsx";
import classes from "./services-field.module.css";
import { useServicesWords } from "./services-words.ts";
import type { Lists } from "./use-new-config.ts";

interface Props {
  services: Lists["services"];
  deviceType: Config["deviceType"];
  /** Of the interface; by default the file names the services. */
  routing?: Config["routing"] | undefined;
  /** Ids. */
  chosen: string[];
  onChange: (ids: string[]) => void;
  /** Members may ask for one that is missing. */
  canAsk?: boolean;
}

/** Services as a visible list by group; for a phone with the running total and what no longer fits. */
export function ServicesField({ services, deviceType, routing, chosen, onChange, canAsk = false }: Props) {
  const { create, newDevice } = useDevices();
  const words = useServicesWords();
  const headingId = useId();
  const [sought, setSought] = useState("");
  const offered = servicesFor(deviceType, services);
  const found = offered.filter((service) => isFoundBy(service, sought.trim()));
  const taken = services.filter(({ id }) => chosen.includes(id));
  const isWhole = useMemo(
    () => familiesMergedToWhole(services.flatMap(({ id, ips }) => (chosen.includes(id) ? ips : []))).length > 0,
    [services, chosen],
  );
  const total = countAddresses(taken);
  const isRouted = routing === "server";
  const phone = deviceType === "phone" && !isRouted;
  return (
    <fieldset className={classes.field} aria-labelledby={headingId}>
      <div className={classes.head}>
        <span id={headingId} className={classes.label}>
          {create.services}
        </span>
        {phone && (
          <span className={classes.total} aria-live="polite">
            <strong>{total}</strong> {create.outOf}
          </span>
        )}
      </div>
      {phone && (
        <div className={classes.track} aria-hidden="true">
          <div className={classes.bar} style={{ width: `${Math.min(100, (total / PHONE_ADDRESS_LIMIT) * 100)}%` }} />
        </div>
      )}
      {isWhole && !isRouted && (
        <p className={classes.none} role="status">
          {newDevice.wholeInternet}
        </p>
      )}
      {offered.length > SEARCHED_FROM && (
        <TextInput
          type="search"
          className={classes.search ?? ""}
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<IconSearch size={18} stroke={1.6} aria-hidden="true" />}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
          // Enter belongs to the search, not to the form around it.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      )}
      {offered.length === 0 && <p className={classes.none}>{create.noServices}</p>}
      {offered.length > 0 && found.length === 0 && (
        <p className={classes.none} role="status">
          {words.nothing}
        </p>
      )}
      <ServiceList
        services={found}
        taken={taken}
        isLimited={phone}
        isRouted={isRouted}
        onTurn={(id, isChosen) => onChange(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id))}
      />
      {canAsk && <AskService sought={found.length === 0 ? sought.trim() : ""} />}
    </fieldset>
  );
}
