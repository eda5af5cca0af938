import { countAddresses, PHONE_ADDRESS_LIMIT, servicesFor, whyServiceDisabled } from "@krug/domain/phone-limit";
import { familiesMergedToWhole, wholeFamilies } from "@krug/wireguard/addresses";
import { Checkbox } from "@mantine/core";
import { useId, useMemo } from "react";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import type { Config } from "./queries.ts";
import classes from "./services-field.module.css";
import type { Lists } from "./use-new-config.ts";

interface Props {
  services: Lists["services"];
  deviceType: Config["deviceType"];
  /** Ids. */
  chosen: string[];
  onChange: (ids: string[]) => void;
}

/** Services as a visible list with their addresses; for a phone with the running total and what no longer fits. */
export function ServicesField({ services, deviceType, chosen, onChange }: Props) {
  const { create } = useMemberText();
  const { newDevice } = useDevices();
  const headingId = useId();
  const offered = servicesFor(deviceType, services);
  const taken = services.filter(({ id }) => chosen.includes(id));
  const isWhole = useMemo(
    () => familiesMergedToWhole(services.flatMap(({ id, ips }) => (chosen.includes(id) ? ips : []))).length > 0,
    [services, chosen],
  );
  const total = countAddresses(taken);
  const phone = deviceType === "phone";
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
      {isWhole && (
        <p className={classes.none} role="status">
          {newDevice.wholeInternet}
        </p>
      )}
      {offered.length === 0 ? (
        <p className={classes.none}>{create.noServices}</p>
      ) : (
        <ul className={classes.list}>
          {offered.map((service) => {
            const tooMany = whyServiceDisabled(service, taken, deviceType) === "config.phone_limit";
            return (
              <li key={service.id} className={classes.item} data-over={tooMany || undefined}>
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
                      <span>{service.name}</span>{" "}
                      {/* Two networks are the whole internet, so their number means nothing. */}
                      {wholeFamilies(service.ips).length === 0 && (
                        <span className={classes.count}>{create.addresses(service.ips.length)}</span>
                      )}
                    </>
                  }
                  description={tooMany ? create.phoneLimit : undefined}
                  disabled={tooMany}
                  checked={chosen.includes(service.id)}
                  onChange={(event) =>
                    onChange(
                      event.currentTarget.checked ? [...chosen, service.id] : chosen.filter((id) => id !== service.id),
                    )
                  }
                />
              </li>
            );
          })}
        </ul>
      )}
    </fieldset>
  );
}
