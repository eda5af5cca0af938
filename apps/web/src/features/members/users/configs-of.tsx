import { Button } from "@mantine/core";
import { IconArrowsExchange, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, explain } from "../../../lib/api.ts";
import { ageText, moment, sizeText } from "../../../lib/format.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { isOnline } from "../../../lib/online.ts";
import { useCommand } from "../../../lib/use-command.ts";
import cells from "../../../ui/cells.module.css";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { MoreMenu } from "../../../ui/more-menu.tsx";
import { Panel } from "../../../ui/panel.tsx";
import type { RingState } from "../../../ui/ring.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { MEMBERS, useMay } from "../../club/staff/index.ts";
import { asListed, useConfigDialogs } from "../../vpn/config-browser/index.ts";
import { DeviceCheck } from "../../vpn/configs/index.ts";
import { useHandOverWords } from "./hand-over-words.ts";
import { configsOfQuery } from "./queries.ts";
import classes from "./users.module.css";
import { useUsersWords } from "./words.ts";

const HandOverDialog = lazyDialog(() => import("./hand-over-dialog.tsx").then(({ HandOverDialog }) => HandOverDialog));
const LinkDialog = lazyDialog(() => import("./link-dialog.tsx").then(({ LinkDialog }) => LinkDialog));

interface Props {
  member: { id: string; displayName: string };
  /** null: unlimited. */
  limit: number | null;
  nowMs: number;
  /** Ids of configs to check at once; the others are checked on demand. */
  checked?: readonly string[];
}

/** A member's configs with their total traffic. An admin can create one and hand it over. */
export function ConfigsOf({ member, limit, nowMs, checked = [] }: Props) {
  const { page: words, list } = useUsersWords();
  const handOver = useHandOverWords();
  const { text, language } = useSpeech();
  const { table } = useStaffWords();
  const mayModify = useMay("configs.change_any");
  const mayDelete = useMay("configs.delete_any");
  const toast = useToast();
  const queryClient = useQueryClient();
  const [isMaking, setIsMaking] = useState(false);
  const [linking, setLinking] = useState<{ id: string; name: string } | null>(null);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: MEMBERS });
  const revoking = useCommand({
    mutationFn: (id: string) => api("DELETE /admin/configs/{id}/link", { params: { id } }),
    onSuccess: () => void toast("good", handOver.revoked),
    onError: (error) => void toast("bad", explain(error, handOver.revokeFailed, text.failure.silent)),
    onSettled: refresh,
  });
  const configs = useQuery(configsOfQuery(member.id));
  const { open, move, remove, dialogs } = useConfigDialogs({ onChange: refresh });
  const count =
    configs.data && (limit === null ? configs.data.length : list.configsOf(configs.data.length, String(limit)));
  return (
    <Panel
      title={words.configs}
      count={count}
      beside={
        mayModify && (
          <Button
            variant="subtle"
            leftSection={<IconPlus size={18} stroke={1.6} aria-hidden="true" />}
            onClick={() => setIsMaking(true)}
          >
            {handOver.open}
          </Button>
        )
      }
    >
      {configs.isError && (
        <LoadFailed title={words.configsFailed} error={configs.error} onRetry={() => void configs.refetch()} />
      )}
      {configs.data?.length === 0 && <p className={cells.quiet}>{words.noConfigs}</p>}
      <Lines>
        {configs.data?.map((config) => {
          const { id, name, serverName, state, isBlocked, dormant, ends, stats, handOver: waits } = config;
          const listed = asListed(config);
          const ring: RingState = isBlocked
            ? "bad"
            : dormant !== null
              ? "warn"
              : state === "pending"
                ? "wait"
                : stats.lastHandshake === null
                  ? "never"
                  : isOnline(stats.lastHandshake, nowMs)
                    ? "on"
                    : "idle";
          return (
            <Line
              key={id}
              ring={ring}
              much={
                <>
                  {sizeText(stats.dataReceived + stats.dataSent, language)}
                  <span>{ageText(stats.lastHandshake, nowMs, text.age)}</span>
                </>
              }
              act={
                mayModify &&
                listed !== null && (
                  <MoreMenu
                    label={table.actions(name)}
                    groups={[
                      [{ label: words.move, icon: IconArrowsExchange, onClick: () => move(listed) }],
                      mayDelete
                        ? [{ label: words.remove, icon: IconTrash, onClick: () => remove([listed]), danger: true }]
                        : [],
                    ]}
                  />
                )
              }
              below={<DeviceCheck device={config} atOnce={checked.includes(id)} />}
            >
              {listed === null ? (
                <b>{name}</b>
              ) : (
                <button type="button" className={`${cells.opener} k-focus`} onClick={() => open(listed)}>
                  {name}
                </button>
              )}
              <span>
                {serverName}
                {isBlocked
                  ? `, ${words.configBlocked}`
                  : dormant !== null
                    ? `, ${ends?.isOver ? words.configEnded : words.configDormant}`
                    : state === "pending"
                      ? `, ${words.pending}`
                      : ""}
              </span>
              {mayModify && waits && (
                <span className={classes.waits}>
                  {waits.linkUntil === null
                    ? handOver.noLink
                    : handOver.waits(moment(Date.parse(waits.linkUntil), language))}
                  <span className={classes.waitsActs}>
                    <Button variant="subtle" onClick={() => setLinking({ id, name })}>
                      {handOver.renew}
                    </Button>
                    {waits.linkUntil !== null && (
                      <Button variant="subtle" data-danger onClick={() => !revoking.isPending && revoking.mutate(id)}>
                        {handOver.revoke}
                      </Button>
                    )}
                  </span>
                </span>
              )}
            </Line>
          );
        })}
      </Lines>
      {isMaking && (
        <HandOverDialog
          member={member}
          taken={configs.data?.map(({ name }) => name.toLowerCase()) ?? []}
          onMade={refresh}
          onClose={() => setIsMaking(false)}
        />
      )}
      {dialogs}
      {linking && (
        <LinkDialog
          title={handOver.renewTitle(linking.name)}
          ask={handOver.renewAsk}
          lead={handOver.lead}
          failed={handOver.renewFailed}
          make={() => api("POST /admin/configs/{id}/link", { params: { id: linking.id } })}
          onMade={refresh}
          onClose={() => setLinking(null)}
        />
      )}
    </Panel>
  );
}
