import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Banner } from "../../../ui/banner.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { type Interface, SERVERS, type Server } from "../servers/index.ts";
import { fittingMtu } from "./interface-form.ts";
import { useInterfacesWords } from "./words.ts";

interface Props {
  row: Interface;
  server: Server;
  mayModify: boolean;
}

/** An interface whose packets are too large for its server's path, and the MTU that fits. */
export function NarrowPath({ row, server: { pathMtu }, mayModify }: Props) {
  const { narrow: words, failures } = useInterfacesWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const setting = useCommand({
    mutationFn: (mtu: number) =>
      api("PUT /admin/wireguard/{serverId}/interfaces/{id}", {
        params: { serverId: row.serverId, id: row.id },
        body: { mtu, expected: { mtu: row.mtu } },
      }),
    onSuccess: ({ name }, mtu) => void toast("good", words.done(name, mtu)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SERVERS }),
  });
  const fitting = fittingMtu(row, pathMtu);
  if (fitting === null || pathMtu === null) return null;
  return (
    <Banner
      tone="move"
      title={words.title(row.name, pathMtu)}
      action={
        mayModify && (
          <Button variant="outline" loading={setting.isPending} onClick={() => setting.mutate(fitting)}>
            {words.set(fitting)}
          </Button>
        )
      }
    >
      <p>{words.more(fitting)}</p>
      {row.toDownload > 0 && <p>{words.old(row.toDownload)}</p>}
      <FormMessage error={setting.error} failed={failures.update} reason />
    </Banner>
  );
}
