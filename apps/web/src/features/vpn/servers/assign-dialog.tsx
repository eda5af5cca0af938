import { ActionIcon, Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { SearchField } from "../../../ui/list-tools.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { useViewed } from "../../club/staff/index.ts";
import { MemberField, type Named } from "../../members/member-field/index.ts";
import classes from "./assign-dialog.module.css";
import { type Assigned, assign, pageOfAssigned, SERVERS, type Thing, unassign } from "./queries.ts";
import { useServersWords } from "./words.ts";

interface Props {
  thing: Thing;
  /** The error text (specification, operator's side 8). */
  failed: string;
  /** False: shows the assignees only. */
  mayAssign: boolean;
  onClose: () => void;
}

/** A longer list than can be seen at a glance offers a search. */
const MANY = 8;

/** Assigns a server or an interface to members, and shows who has it. */
export function AssignDialog({ thing, failed, mayAssign, onClose }: Props) {
  const { assign: words } = useServersWords();
  const formId = useId();
  const queryClient = useQueryClient();
  const [picked, setPicked] = useState<Named | null>(null);
  const [missing, setMissing] = useState(false);
  const [added, setAdded] = useState<readonly Assigned[]>([]);
  const assigning = useCommand({
    mutationFn: (member: Named) => assign(thing, member.id),
    onSuccess: (row) => {
      setPicked(null);
      setAdded((before) => [row, ...before.filter(({ userId }) => userId !== row.userId)]);
    },
  });
  const close = () => {
    void queryClient.invalidateQueries({ queryKey: SERVERS });
    onClose();
  };
  const submit = () => {
    setMissing(picked === null);
    if (picked !== null && !assigning.isPending) assigning.mutate(picked);
  };
  return (
    <Sheet
      onClose={close}
      title={words.title(thing.name)}
      footer={
        <Button fullWidth size="lg" variant={mayAssign ? "outline" : "filled"} onClick={close}>
          {words.close}
        </Button>
      }
    >
      <p className={classes.lead}>{thing.kind === "server" ? words.leadServer : words.leadInterface}</p>
      {mayAssign && (
        <form
          id={formId}
          className={classes.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <MemberField
            label={words.member}
            hint={words.memberHint}
            required
            first
            picked={picked}
            onPick={(member) => {
              setPicked(member);
              setMissing(false);
            }}
            error={missing && words.choose}
          />
          <SubmitButton busy={assigning.isPending} label={words.submit} working={words.working} />
          <FormMessage
            error={assigning.error}
            failed={failed}
            reason
            good={assigning.data && !assigning.isPending ? words.done(assigning.data.displayName) : null}
          />
        </form>
      )}
      <Assignees thing={thing} failed={failed} mayAssign={mayAssign} added={added} />
    </Sheet>
  );
}

/** The assignees. A removed one stays in place until the dialog closes, and can be restored. */
function Assignees({ thing, failed, mayAssign, added }: Omit<Props, "onClose"> & { added: readonly Assigned[] }) {
  const { assign: words } = useServersWords();
  const { viewedRole } = useViewed();
  const headingId = useId();
  const [q, setQ] = useState("");
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const list = useInfiniteQuery({
    queryKey: [...SERVERS, "assigned", thing.kind, thing.id, q, viewedRole],
    queryFn: ({ pageParam, signal }) => pageOfAssigned(thing, { role: viewedRole, q, after: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    // Each opening starts with current data.
    gcTime: 0,
  });
  const turning = useCommand({
    mutationFn: ({ row, back }: { row: Assigned; back: boolean }) =>
      back ? assign(thing, row.userId) : unassign(thing, row.userId),
    onSuccess: (_, { row, back }) =>
      setGone((before) => new Set(back ? [...before].filter((id) => id !== row.userId) : [...before, row.userId])),
  });
  const listed = list.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const fresh = q === "" ? added.filter(({ userId }) => !listed.some((row) => row.userId === userId)) : [];
  const rows = [...fresh, ...listed];
  const total = (list.data?.pages[0]?.total ?? 0) + fresh.length - gone.size;
  if (list.isError)
    return <LoadFailed title={words.listFailed} error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <section aria-labelledby={headingId} aria-busy={list.isPending}>
      <h3 id={headingId} className={classes.heading}>
        {words.list}
        {list.data && q === "" && <span>{total}</span>}
      </h3>
      {(q !== "" || (list.data?.pages[0]?.total ?? 0) > MANY) && (
        <div className={classes.search}>
          <SearchField label={words.search} value={q} onChange={setQ} />
        </div>
      )}
      {list.isPending && (
        <div className={classes.waiting}>
          <Ring state="wait" size={28} />
        </div>
      )}
      {list.data && rows.length === 0 && (
        <p className={classes.nobody}>{q === "" ? words.nobody : words.nobodyFound}</p>
      )}
      <ul className={classes.rows}>
        {rows.map((row) => {
          const isGone = gone.has(row.userId);
          return (
            <li key={row.userId} data-gone={isGone || undefined}>
              <span className={classes.who}>
                <b>{row.displayName || row.username}</b>
                <span>{isGone ? words.unassigned(row.username) : row.username}</span>
              </span>
              {mayAssign &&
                (isGone ? (
                  <Button variant="subtle" onClick={() => turning.mutate({ row, back: true })}>
                    {words.bringBack}
                  </Button>
                ) : (
                  <ActionIcon
                    aria-label={words.unassign(row.displayName || row.username)}
                    onClick={() => turning.mutate({ row, back: false })}
                  >
                    <IconTrash size={20} stroke={1.6} />
                  </ActionIcon>
                ))}
            </li>
          );
        })}
      </ul>
      <FormMessage error={turning.error} failed={failed} reason />
      {list.hasNextPage && (
        <Button variant="outline" fullWidth onClick={() => void list.fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </section>
  );
}
