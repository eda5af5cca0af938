import { RESTORE_WINDOW_MS } from "@krug/domain/config-rules";
import { notifyManager, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApiError, api, explain } from "../../../lib/api.ts";
import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";
import { clubNow } from "../../../lib/club-clock.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useToast } from "../../../ui/toasts.tsx";
import { type Config, configsQuery, monthQuery } from "./queries.ts";

interface Removed {
  config: Config;
  /** Its card's position, so that nothing jumps. */
  place: number;
  at: number;
  /** The panel failed (500): the specification counts that as deleted, and the list shows the outcome. */
  unsure?: boolean;
}

/** A panel that failed may still be working on it. */
const TRUTH_AFTER_MS = 3_000;
const REMOVED = "krug.removed";

/** A reload loses nothing that the panel would still restore. */
const readRemoved = (): Removed[] => JSON.parse(keptForTab(REMOVED) ?? "[]") as Removed[];

export type Shown =
  | { kind: "device"; config: Config }
  | { kind: "removed"; config: Config; leftS: number; unsure: boolean };

export type Removal = ReturnType<typeof useRemoval>;

/** Deletes, and restores within a minute. `shown` is the list with placeholders for deleted cards. */
export function useRemoval(configs: Config[]) {
  const { card, failure } = useMemberText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [removed, become] = useState<readonly Removed[]>(readRemoved);
  const takeBack = useRef(() => {});
  const now = useNow(1000, removed.length > 0);
  // A device that is in the list again was restored elsewhere, or never deleted.
  const still = removed.filter(
    ({ at, config }) => now - at < RESTORE_WINDOW_MS && !configs.some(({ id }) => id === config.id),
  );

  const setRemoved = (change: (before: readonly Removed[]) => readonly Removed[]) =>
    become((before) => {
      const next = change(before);
      keepForTab(REMOVED, JSON.stringify(next));
      return next;
    });
  const setList = (change: (list: Config[]) => Config[]) =>
    queryClient.setQueryData(configsQuery.queryKey, (list) => list && change(list));

  const remove = useCommand({
    mutationFn: async (config: Config) => {
      let unsure = false;
      takeBack.current();
      try {
        await api("DELETE /vpn/configs/{id}", { params: { id: config.id } });
      } catch (error) {
        // User-side, section 4: a 500 on deletion counts as deleted.
        unsure = error instanceof ApiError && error.status === 500;
        if (!unsure) throw error;
      }
      // The answer to an earlier request would bring it back.
      await queryClient.cancelQueries({ queryKey: configsQuery.queryKey });
      return { unsure };
    },
    onSuccess: ({ unsure }, config) => {
      // The list may have been refetched meanwhile, without it.
      const place = Math.max(
        configs.findIndex(({ id }) => id === config.id),
        0,
      );
      // Before the page loses it from the list: in between, an only device would leave an empty page, and the focus its place.
      flushSync(() =>
        setRemoved((others) => [
          ...others.filter(({ config: { id } }) => id !== config.id),
          { config, place, at: clubNow(), unsure },
        ]),
      );
      setList((list) => list.filter(({ id }) => id !== config.id));
      if (unsure) setTimeout(() => void tellTruth(config), TRUTH_AFTER_MS);
    },
  });
  /** Fetches the outcome of a deletion at which the panel failed. */
  const tellTruth = async ({ id }: Config) => {
    await queryClient.invalidateQueries({ queryKey: configsQuery.queryKey });
    const list = queryClient.getQueryData(configsQuery.queryKey);
    if (list?.some((one) => one.id === id)) takeBack.current = await toast("bad", card.removeFailed);
  };
  const restore = useCommand({
    mutationFn: (config: Config) => api("POST /vpn/configs/{id}/restore", { params: { id: config.id } }),
    onSuccess: (back) => {
      const place = removed.find(({ config }) => config.id === back.id)?.place ?? 0;
      // The list may have been refetched meanwhile, with it.
      setList((list) => list.filter(({ id }) => id !== back.id).toSpliced(place, 0, back));
      // After the page has the list: in between it would have neither card, and the page of an only device would say that there is none.
      notifyManager.schedule(() => setRemoved((others) => others.filter(({ config }) => config.id !== back.id)));
      // Answers in between left out its month.
      void queryClient.invalidateQueries({ queryKey: monthQuery.queryKey });
    },
    onError: (error) => toast("bad", explain(error, card.restoreFailed, failure.silent)),
  });

  const shown: Shown[] = configs
    .filter(({ id }) => !still.some(({ config }) => config.id === id))
    .map((config) => ({ kind: "device", config }));
  for (const { config, place, at, unsure = false } of [...still].sort((a, b) => a.place - b.place)) {
    const leftS = Math.ceil((RESTORE_WINDOW_MS - (now - at)) / 1000);
    shown.splice(place, 0, { kind: "removed", config, leftS, unsure });
  }
  return { shown, remove, restore };
}
