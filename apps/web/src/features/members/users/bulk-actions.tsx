import type { Api } from "@krug/contract/api";
import { Button } from "@mantine/core";
import { IconAdjustments, IconTags, IconTemplate } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api, explain, Refusal } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { idempotencyKey } from "../../../lib/idempotency-key.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { MoreMenu } from "../../../ui/more-menu.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { MEMBERS } from "../../club/staff/index.ts";
import { useUndoToast } from "../../club/undo/index.ts";
import { GroupChoice } from "../groups/index.ts";
import { useBulkWords } from "./bulk-words.ts";
import { PERIODS, type Period } from "./extend-periods.ts";
import type { ListedMember, ListFilter } from "./queries.ts";
import classes from "./users.module.css";
import { useUsersWords } from "./words.ts";

const MessageSheet = lazyDialog(() => import("../../messages/inbox/index.ts").then(({ MessageSheet }) => MessageSheet));
const ExtendQuestion = lazyDialog(() => import("./extend-dialog.tsx").then(({ ExtendQuestion }) => ExtendQuestion));
const LimitQuestion = lazyDialog(() => import("./limit-question.tsx").then(({ LimitQuestion }) => LimitQuestion));
const TemplateQuestion = lazyDialog(() =>
  import("./template-question.tsx").then(({ TemplateQuestion }) => TemplateQuestion),
);
const BlockQuestion = lazyDialog(() => import("./block-dialog.tsx").then(({ BlockQuestion }) => BlockQuestion));

type Change = Omit<Api["POST /admin/users/bulk"]["body"], "ids">;
type Slice = Api["POST /admin/users/bulk/matching"]["answer"];

/** How many skipped members are listed by name. */
const MOST_NAMED = 50;

interface Left {
  id: string;
  displayName: string;
  message: string;
}

/** Progress of a change of all matching members. */
interface Progress {
  after: string | null;
  changed: number;
  left: Left[];
}

const isHalfDone = (error: Error | null) => error?.cause !== undefined;

interface Props {
  members: readonly Pick<ListedMember, "id" | "displayName" | "isActive">[];
  /** All members that match the filter, instead of `members`. */
  all: { count: number; filter: ListFilter } | null;
  onDone: () => void;
}

/** Actions on all selected members at once. Skipped members are listed with the reason. */
export function BulkActions({ members, all, onDone }: Props) {
  const { actions } = useUsersWords();
  const words = useBulkWords();
  const { failure } = useText();
  const toast = useToast();
  const undoToast = useUndoToast();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<
    "extend" | "message" | "block" | "unblock" | "groups" | "limit" | "template" | null
  >(null);
  const [period, setPeriod] = useState<Period>(PERIODS[0]);
  const [sum, setSum] = useState("");
  const [configsToo, setConfigsToo] = useState(true);
  /** How many of the matching members the panel has processed. */
  const [reached, setReached] = useState(0);
  const [stopped, setStopped] = useState<Progress | null>(null);
  const blocked = members.filter(({ isActive }) => !isActive);
  const count = all?.count ?? members.length;
  const canUnblock = all ? all.filter.state !== "active" : blocked.length > 0;

  /** Idempotency keys by request, until it succeeds: if an answer is lost, pressing again extends nobody twice. */
  const keys = useRef(new Map<string, string>());
  const keyOf = (sent: object) => {
    const said = JSON.stringify(sent);
    const key = keys.current.get(said) ?? idempotencyKey();
    keys.current.set(said, key);
    return key;
  };

  /** The same until it succeeds, also when stopped halfway. */
  const act = () => keyOf({ action: "extend", period, sum, members });

  const changeAll = async (filter: ListFilter, body: Change) => {
    const matching = body.action === "unblock" ? { ...filter, state: "blocked" as const } : filter;
    const { left, ...begun } = stopped ?? { after: null, changed: 0, left: [] as Left[] };
    let { after, changed } = begun;
    do {
      const sent = { matching, after, ...body };
      const slice: Slice = await api("POST /admin/users/bulk/matching", {
        body: sent,
        idempotencyKey: keyOf(sent),
      }).catch((error: unknown) => {
        if (changed + left.length === 0) throw error;
        // Finished slices stay finished: another press continues from here.
        setStopped({ after, changed, left });
        throw new Refusal(words.stopped(changed), { cause: error });
      });
      changed += slice.changed;
      left.push(...slice.refused);
      setReached(changed + left.length);
      after = slice.after;
    } while (after !== null);
    setStopped(null);
    return { changed, left };
  };
  const changeThese = async (body: Change) => {
    const meant = body.action === "unblock" ? blocked : members;
    const sent = { ids: meant.map(({ id }) => id), ...body };
    const { changed, refused } = await api("POST /admin/users/bulk", { body: sent, idempotencyKey: keyOf(sent) });
    const nameOf = (id: string) => members.find((member) => member.id === id)?.displayName ?? id;
    return {
      changed: changed.length,
      left: refused.map(({ id, message }): Left => ({ id, displayName: nameOf(id), message })),
    };
  };

  const acting = useCommand({
    mutationFn: (body: Change) => (all ? changeAll(all.filter, body) : changeThese(body)),
    onSettled: (_, error) => {
      // The matching members stay on screen until the action is finished or given up.
      if (isHalfDone(error)) return;
      setReached(0);
      void queryClient.invalidateQueries({ queryKey: MEMBERS });
    },
    onSuccess: ({ changed, left }, { action, act }) => {
      keys.current.clear();
      const message = words.done(changed);
      if (action === "extend" && act !== undefined && changed > 0) void undoToast({ of: "users", act, message });
      else if (left.length === 0) void toast("good", message);
      if (left.length > 0) return;
      setAsked(null);
      onDone();
    },
    onError: (error, { action }) => {
      // The other actions show the error in their dialogs, where they can be continued.
      if (action !== "unblock") return;
      void toast("bad", explain(error, words.failed, failure.silent));
      if (isHalfDone(error)) leave();
    },
  });
  const leave = () => {
    void queryClient.invalidateQueries({ queryKey: MEMBERS });
    setStopped(null);
    setAsked(null);
    onDone();
  };
  const close = () => {
    // Some of the selected members have already changed.
    if (stopped) return leave();
    setAsked(null);
    acting.reset();
  };
  const bad = acting.error && explain(acting.error, words.failed, failure.silent);
  const left = acting.data?.left ?? [];
  const progress = all && reached > 0 ? words.progress(reached, all.count) : null;
  const confirm = stopped ? words.goOn : undefined;
  const asking = { busy: acting.isPending, progress, confirm, bad, onClose: close };
  const choosing = { ...asking, isFixed: stopped !== null };

  return (
    <>
      <Button variant="subtle" onClick={() => setAsked("extend")}>
        {actions.extend}
      </Button>
      <Button variant="subtle" onClick={() => setAsked("message")}>
        {words.write}
      </Button>
      <Button variant="subtle" data-danger onClick={() => setAsked("block")}>
        {actions.block}
      </Button>
      {canUnblock && (
        <Button
          variant="subtle"
          loading={asked === "unblock" && acting.isPending}
          onClick={() => {
            setAsked("unblock");
            acting.mutate({ action: "unblock" });
          }}
        >
          {actions.unblock}
        </Button>
      )}
      <MoreMenu
        label={words.more}
        groups={[
          [
            { label: words.groups, icon: IconTags, onClick: () => setAsked("groups") },
            { label: words.changeLimit, icon: IconAdjustments, onClick: () => setAsked("limit") },
            { label: words.applyTemplate, icon: IconTemplate, onClick: () => setAsked("template") },
          ],
        ]}
      />
      {asked !== null && left.length > 0 ? (
        <Sheet
          small
          title={words.partly(acting.data?.changed ?? 0, left.length)}
          onClose={() => {
            close();
            onDone();
          }}
        >
          <p>{words.refused}</p>
          <ul className={classes.refused}>
            {left.slice(0, MOST_NAMED).map(({ id, displayName, message }) => (
              <li key={id}>
                {displayName}
                <span>{message}</span>
              </li>
            ))}
            {left.length > MOST_NAMED && <li>{words.othersRefused(left.length - MOST_NAMED)}</li>}
          </ul>
        </Sheet>
      ) : asked === "extend" ? (
        <ExtendQuestion
          {...asking}
          title={words.extendTitle(count)}
          period={period}
          onPeriod={stopped ? null : setPeriod}
          sum={sum}
          onSum={setSum}
          several
          onConfirm={(amount) =>
            acting.mutate({
              action: "extend",
              days: Number(period),
              act: act(),
              ...(amount === null ? {} : { amount }),
            })
          }
        />
      ) : asked === "message" ? (
        <MessageSheet
          to="several"
          title={words.writeTitle(count)}
          submit={{
            label: stopped ? words.goOn : words.send(count),
            working: progress ?? words.sending,
            busy: acting.isPending,
          }}
          bad={bad}
          isFixed={stopped !== null}
          onSend={(message) => acting.mutate({ action: "message", message })}
          onClose={close}
        />
      ) : asked === "groups" ? (
        <GroupChoice
          {...choosing}
          title={words.groupsTitle(count)}
          from={all?.filter.group}
          onChoose={(action, groupId) => acting.mutate({ action, groupId })}
        />
      ) : asked === "limit" ? (
        <LimitQuestion
          {...choosing}
          title={words.limitTitle(count)}
          onConfirm={(vpnConfigLimit) => acting.mutate({ action: "limit", vpnConfigLimit })}
        />
      ) : asked === "template" ? (
        <TemplateQuestion
          {...choosing}
          title={words.templateTitle(count)}
          onConfirm={(templateId) => acting.mutate({ action: "template", templateId })}
        />
      ) : asked === "block" ? (
        <BlockQuestion
          {...asking}
          title={words.blockTitle(count)}
          configsToo={configsToo}
          onConfigsToo={stopped ? null : setConfigsToo}
          onConfirm={() => acting.mutate({ action: "block", blockConfigs: configsToo })}
        />
      ) : null}
    </>
  );
}
