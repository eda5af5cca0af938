import { KNOWN_SERVICES, KNOWN_SERVICES_DATED, type KnownService } from "@krug/domain/known-services";
import { inGroups, SERVICE_GROUPS } from "@krug/domain/service-groups";
import { Checkbox } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, withReason } from "../../../lib/api.ts";
import { shortDay } from "../../../lib/format.ts";
import { useSpeech, useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Tile } from "../../../ui/tile.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import classes from "./catalog.module.css";
import { CATALOG, staffServicesQuery } from "./queries.ts";
import { useCatalogWords } from "./words.ts";

/** Services that members ask for often, to be added with their sources. The panel fetches nothing of those not chosen. */
export function KnownDialog({ onClose }: { onClose: () => void }) {
  const { known: words } = useCatalogWords();
  const { language } = useSpeech();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const services = useQuery(staffServicesQuery).data ?? [];
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<Readonly<Record<string, React.ReactNode>>>({});
  const there = new Set(services.map(({ name }) => name.toLowerCase()));
  const isThere = ({ name }: KnownService) => there.has(name.toLowerCase());

  const adding = useCommand({
    // One after another: the panel fetches the sources of each.
    mutationFn: async (wished: readonly KnownService[]) => {
      const failed: Record<string, React.ReactNode> = {};
      for (const { name, picture, group, description, sources } of wished)
        await api("POST /services", {
          body: { name, picture, group, description: description[language], sources: [...sources] },
        }).catch((error: Error) => {
          failed[name] = withReason(words.failed, error, failure.silent);
        });
      return failed;
    },
    onSuccess: (failed, wished) => {
      setProblems(failed);
      const left = Object.keys(failed);
      setChosen(left);
      const count = wished.length - left.length;
      if (count > 0) void toast("good", words.added(count));
      if (left.length === 0) onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: CATALOG }),
  });
  const wished = KNOWN_SERVICES.filter((one) => chosen.includes(one.name) && !isThere(one));
  return (
    <FormSheet
      draft={null}
      title={words.title}
      onClose={onClose}
      submit={{
        label: words.add(wished.length),
        working: words.adding,
        busy: adding.isPending,
        disabled: wished.length === 0,
      }}
      onSubmit={() => adding.mutate(wished)}
    >
      <p>{words.lead(shortDay(new Date(KNOWN_SERVICES_DATED)))}</p>
      {inGroups(KNOWN_SERVICES).map(({ group, services: ofGroup }) => (
        <fieldset key={group} className={classes.known}>
          <legend>{SERVICE_GROUPS[group][language]}</legend>
          {ofGroup.map((one) => (
            <Checkbox
              key={one.name}
              label={
                <span className={classes.name}>
                  <Tile>{one.picture}</Tile>
                  <span>
                    <b>{one.name}</b> <small>{isThere(one) ? words.there : one.description[language]}</small>
                  </span>
                </span>
              }
              error={problems[one.name]}
              disabled={isThere(one)}
              checked={isThere(one) || chosen.includes(one.name)}
              onChange={(event) =>
                setChosen(event.currentTarget.checked ? [...chosen, one.name] : chosen.filter((n) => n !== one.name))
              }
            />
          ))}
        </fieldset>
      ))}
    </FormSheet>
  );
}
