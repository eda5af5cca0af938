import { PHONE_ADDRESS_LIMIT } from "@krug/domain/phone-limit";
import type { closestCover } from "@krug/wireguard/closest-cover";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import classes from "./catalog.module.css";
import { ownNetworksQuery } from "./queries.ts";
import { useInWorker } from "./use-in-worker.ts";
import { useCatalogWords } from "./words.ts";

/** Offers the closest networks that fit a phone for a service that has more, and says what else they would route. */
export function FitPhone({ ips, onTake }: { ips: readonly string[]; onTake: (networks: string[]) => void }) {
  const { edit } = useCatalogWords();
  const own = useQuery(ownNetworksQuery).data;
  const work = useMemo(
    () => (own ? ([ips, PHONE_ADDRESS_LIMIT, own] as Parameters<typeof closestCover>) : null),
    [ips, own],
  );
  const done = useInWorker("cover", work);
  const cover = done?.args === work ? done?.answer : null;
  if (!cover) return null;
  return (
    <div className={classes.hint}>
      <Button variant="default" size="compact-sm" onClick={() => onTake(cover.networks)}>
        {edit.fit(cover.networks.length)}
      </Button>
      <p className={classes.cost} role="status">
        {edit.fitCost(cover.extra, cover.share)}
      </p>
    </div>
  );
}
