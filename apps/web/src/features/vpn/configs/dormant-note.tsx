import { Button } from "@mantine/core";
import { IconPower } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { api, explain } from "../../../lib/api.ts";
import { clubNow } from "../../../lib/club-clock.ts";
import { longDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Ring } from "../../../ui/ring.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useDormantWords } from "./dormant-words.ts";
import { type Config, configsQuery } from "./queries.ts";

/** On the card of a device that was switched off because nobody used it: one press brings it back. */
export function DormantNote({ config, dormant }: { config: Config; dormant: NonNullable<Config["dormant"]> }) {
  const words = useDormantWords();
  const { text, language } = useSpeech();
  const toast = useToast();
  const queryClient = useQueryClient();
  const waking = useCommand({
    mutationFn: () => api("POST /vpn/configs/{id}/reactivate", { params: { id: config.id } }),
    onSuccess: (back) => {
      queryClient.setQueryData(configsQuery.queryKey, (list) => list?.map((one) => (one.id === back.id ? back : one)));
      void toast("good", words.done(back.name));
    },
    onError: (error) => void toast("bad", explain(error, words.failed, text.failure.silent)),
  });
  return (
    <>
      <p>{words.why(longDay(new Date(dormant.keptUntil), clubNow(), language))}</p>
      <Button
        variant="filled"
        style={{ marginTop: 8 }}
        leftSection={waking.isPending ? <Ring state="wait" size={20} /> : <IconPower size={20} stroke={1.6} />}
        aria-label={words.wakeOf(config.name)}
        onClick={() => !waking.isPending && waking.mutate()}
      >
        {waking.isPending ? words.waking : words.wake}
      </Button>
    </>
  );
}
