import { DAY_MS } from "@krug/domain/moment";
import { Button } from "@mantine/core";
import { IconPower } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { api, explain } from "../../../lib/api.ts";
import { clubNow } from "../../../lib/club-clock.ts";
import { clubDay, longDay, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Ring } from "../../../ui/ring.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useDormantWords } from "./dormant-words.ts";
import { type Config, configsQuery } from "./queries.ts";

/** On a device's card: until when it works, when it is switched off for want of use; and if it is off, the way back by one press. */
export function DormantNote({ config }: { config: Config }) {
  const words = useDormantWords();
  const { language } = useSpeech();
  const { dormant, dormantFrom, ends } = config;
  const written = (day: string) => writtenDay(day, clubNow(), language);
  const end = ends && written(clubDay(ends.at));
  const kept = dormant && longDay(new Date(dormant.keptUntil), clubNow(), language);
  if (end !== null && ends?.isOver)
    return (
      <>
        <p>{words.ended(end, kept ?? "")}</p>
        {ends.byStaff ? <p>{words.byStaff}</p> : <Wake config={config} hasEnd />}
      </>
    );
  return (
    <>
      {dormantFrom && <p>{words.soon(written(dormantFrom))}</p>}
      {kept && (
        <>
          <p>{words.why(kept)}</p>
          <Wake config={config} />
        </>
      )}
      {end && <p>{words.until(end)}</p>}
    </>
  );
}

/** `hasEnd`: it may also come back for a while. */
function Wake({ config, hasEnd = false }: { config: Config; hasEnd?: boolean }) {
  const words = useDormantWords();
  const { text } = useSpeech();
  const toast = useToast();
  const queryClient = useQueryClient();
  const params = { id: config.id };
  const waking = useCommand({
    mutationFn: (isForAWeek: boolean): Promise<Config> =>
      isForAWeek
        ? api("PUT /vpn/configs/{id}", { params, body: { until: new Date(clubNow() + 7 * DAY_MS).toISOString() } })
        : api("POST /vpn/configs/{id}/reactivate", { params }),
    onSuccess: (back) => {
      queryClient.setQueryData(configsQuery.queryKey, (list) => list?.map((one) => (one.id === back.id ? back : one)));
      void toast("good", words.done(back.name));
    },
    onError: (error) => void toast("bad", explain(error, words.failed, text.failure.silent)),
  });
  const press = (isForAWeek: boolean) => () => !waking.isPending && waking.mutate(isForAWeek);
  const isOn = (isForAWeek: boolean) => waking.isPending && waking.variables === isForAWeek;
  return (
    <div style={{ display: "flex", flexWrap: "wrap", gap: 8, marginTop: 8 }}>
      <Button
        variant="filled"
        leftSection={isOn(false) ? <Ring state="wait" size={20} /> : <IconPower size={20} stroke={1.6} />}
        aria-label={words.wakeOf(config.name)}
        onClick={press(false)}
      >
        {isOn(false) ? words.waking : words.wake}
      </Button>
      {hasEnd && (
        <Button variant="light" aria-label={words.weekOf(config.name)} onClick={press(true)}>
          {isOn(true) ? words.waking : words.week}
        </Button>
      )}
    </div>
  );
}
