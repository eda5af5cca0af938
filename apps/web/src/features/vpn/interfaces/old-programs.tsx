import type { Api } from "@krug/contract/api";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { api, withReason } from "../../../lib/api.ts";
import { dotted } from "../../../lib/dotted.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { Ring, type RingState } from "../../../ui/ring.tsx";
import { SheetActions, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { InvitedLinks } from "../../members/users/index.ts";
import { SERVERS, type Server } from "../servers/index.ts";
import { useOldProgramWords } from "./old-program-words.ts";
import classes from "./old-programs.module.css";

type Found = Api["POST /admin/servers/{id}/old-programs/preview"]["answer"];
type Program = Api["POST /admin/servers/{id}/old-programs/find"]["answer"]["programs"][number];
type Moved = NonNullable<Api["GET /admin/servers/{id}/old-programs"]["answer"]["moved"]>;
type Invited = Api["POST /admin/servers/{id}/old-programs/links"]["answer"]["invited"];

/** A program whose devices are shown. */
export interface OpenedProgram {
  name: string;
  isContainer: boolean;
  found: Found;
}

interface Props {
  server: Server;
  /** Between this way and the other. */
  choice: React.ReactNode;
  onClose: () => void;
  onOpen: (opened: OpenedProgram) => void;
  onLinks: (invited: Invited) => void;
}

/** While an import goes on its state is read this often. */
const EVERY_MS = 2_000;
const COMMAND = "krug import";

const isUnderWay = (moved: Moved | null | undefined) =>
  moved?.state === "taking" || moved?.state === "answering" || moved?.state === "leaving";

/** Other VPN programs on the server, or what became of the one that was imported last. */
export function OldPrograms(props: Props) {
  const { server, choice, onClose } = props;
  const words = useOldProgramWords();
  const { common } = useText();
  const queryClient = useQueryClient();
  const isOurs = server.driver === "ssh" && server.isSetupComplete;
  const state = useQuery({
    queryKey: ["old-programs", server.id],
    queryFn: ({ signal }) =>
      api("GET /admin/servers/{id}/old-programs", { params: { id: server.id }, signal }).then(({ moved }) => moved),
    enabled: isOurs,
    // An import that is just done is to be seen.
    staleTime: 0,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? EVERY_MS : false),
  });
  const settled = state.data?.state;
  useEffect(() => {
    if (settled === "done" || settled === "left") void queryClient.invalidateQueries({ queryKey: SERVERS });
  }, [settled, queryClient]);
  if (isOurs && state.data) return <Import {...props} moved={state.data} onChanged={() => void state.refetch()} />;
  if (isOurs && state.isSuccess) return <Search {...props} />;
  return (
    <>
      <SheetBody>
        <div className={classes.column}>
          {choice}
          {server.driver !== "ssh" ? (
            <>
              <p>{words.onPanel}</p>
              <p className={classes.command}>
                <code>{COMMAND}</code>
                <CopyButton text={COMMAND} label={words.copy} />
              </p>
            </>
          ) : !server.isSetupComplete ? (
            <p>{words.notSetUp}</p>
          ) : state.isError ? (
            <LoadFailed title={words.notLoaded} error={state.error} onRetry={() => void state.refetch()} />
          ) : (
            <Waiting label={words.loading} />
          )}
        </div>
      </SheetBody>
      <SheetFooter>
        <SheetActions>
          <Button variant="subtle" size="lg" onClick={onClose}>
            {common.close}
          </Button>
        </SheetActions>
      </SheetFooter>
    </>
  );
}

function Search({ server, choice, onClose, onOpen }: Props) {
  const words = useOldProgramWords();
  const { common, failure } = useText();
  const params = { id: server.id };
  const search = useCommand({
    mutationFn: () => api("POST /admin/servers/{id}/old-programs/find", { params }),
    onMutate: () => opening.reset(),
  });
  const opening = useCommand({
    mutationFn: async ({ name, startedBy }: Program) => ({
      name,
      isContainer: startedBy === "container",
      found: await api("POST /admin/servers/{id}/old-programs/preview", { params, body: { program: name } }),
    }),
    onSuccess: onOpen,
  });
  const programs = search.data?.programs;
  return (
    <>
      <SheetBody>
        <div className={classes.column}>
          {choice}
          <p>{words.lead}</p>
          <p>
            <b>{words.comes}</b> {words.comesWhat}
          </p>
          <p>
            <b>{words.stays}</b> {words.staysWhat}
          </p>
          <div role="status">{programs?.length === 0 && !search.isPending && <p>{words.none}</p>}</div>
          {programs !== undefined && programs.length > 0 && (
            <Lines>
              {programs.map((program) => (
                <FoundProgram
                  key={program.name}
                  program={program}
                  isOpening={opening.isPending && opening.variables.name === program.name}
                  onOpen={() => opening.mutate(program)}
                />
              ))}
            </Lines>
          )}
          <FormMessage
            bad={
              (search.error && withReason(words.notSearched, search.error, failure.silent)) ||
              (opening.error && withReason(words.notOpened, opening.error, failure.silent))
            }
          />
        </div>
      </SheetBody>
      <SheetFooter>
        <SheetActions>
          <Button variant="subtle" size="lg" onClick={onClose}>
            {common.cancel}
          </Button>
          <SubmitButton
            type="button"
            busy={search.isPending}
            label={programs === undefined ? words.search : words.again}
            working={words.searching}
            onClick={() => search.mutate()}
          />
        </SheetActions>
      </SheetFooter>
    </>
  );
}

interface FoundProps {
  program: Program;
  isOpening: boolean;
  onOpen: () => void;
}

function FoundProgram({ program, isOpening, onOpen }: FoundProps) {
  const words = useOldProgramWords();
  const { name, startedBy, isRunning, removesItself, found, problem } = program;
  const about = [
    startedBy === "container" ? words.container : startedBy,
    ...(found === null
      ? []
      : [
          words.devices(found.devices),
          found.amneziawg === null ? "WireGuard" : `AmneziaWG ${found.amneziawg}`,
          found.subnet,
        ]),
    ...(isRunning ? [] : [words.stands]),
  ];
  return (
    <Line
      act={
        found !== null &&
        !removesItself && (
          <Button
            variant="outline"
            className={classes.open ?? ""}
            aria-label={words.openOf(name)}
            aria-disabled={isOpening || undefined}
            onClick={onOpen}
          >
            {isOpening ? words.opening : words.open}
          </Button>
        )
      }
      below={
        removesItself ? (
          <p className={classes.problem}>{words.removesItself}</p>
        ) : (
          problem && (
            <div className={classes.problem}>
              <Reason why={problem} />
            </div>
          )
        )
      }
    >
      <b>{name}</b>
      <span>{dotted(about)}</span>
    </Line>
  );
}

const RINGS: Record<Moved["state"], RingState> = {
  taking: "wait",
  answering: "wait",
  done: "done",
  leaving: "wait",
  left: "done",
};

function Import({ server, moved, onClose, onLinks, onChanged }: Props & { moved: Moved; onChanged: () => void }) {
  const words = useOldProgramWords();
  const { common, failure } = useText();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState<"back" | "keep" | null>(null);
  const params = { id: server.id };
  const links = useCommand({
    mutationFn: async () => {
      await InvitedLinks.load();
      return api("POST /admin/servers/{id}/old-programs/links", { params });
    },
    onSuccess: ({ invited }) => onLinks(invited),
  });
  const answered = {
    onSuccess: ({ moved }: { moved: Moved | null }) => {
      setAsking(null);
      queryClient.setQueryData(["old-programs", server.id], moved);
    },
    // Someone else may have been first.
    onError: onChanged,
  };
  const back = useCommand({
    mutationFn: () => api("POST /admin/servers/{id}/old-programs/back", { params }),
    ...answered,
  });
  const keep = useCommand({
    mutationFn: () => api("DELETE /admin/servers/{id}/old-programs", { params }),
    ...answered,
  });
  const { name, state, why, trouble, invited, hasLinks } = moved;
  const text = {
    taking: words.takingMore,
    answering: words.answering,
    done: words.doneMore,
    leaving: words.leavingMore,
    left: words.leftMore,
  };
  const title = {
    taking: words.taking,
    answering: words.taking,
    done: words.done,
    leaving: words.leaving,
    left: words.left,
  };
  return (
    <>
      <SheetBody>
        <div className={classes.column}>
          <div className={classes.state} role="status">
            <Ring state={RINGS[state]} size={32} />
            <div>
              <p className={classes.title}>{title[state](name)}</p>
              <p>{text[state]}</p>
            </div>
          </div>
          {why !== null && (
            <div>
              <p className={classes.title}>{words.why}</p>
              <Reason why={why} />
            </div>
          )}
          {trouble !== null && (
            <div>
              <p className={classes.title}>{words.trouble}</p>
              <Reason why={trouble} />
            </div>
          )}
          {hasLinks && state !== "taking" && (
            <div className={classes.links}>
              <p>{words.linksOf(invited.length)}</p>
              <SubmitButton
                type="button"
                size="sm"
                variant="outline"
                busy={links.isPending}
                label={words.links}
                working={words.linksOpening}
                onClick={() => links.mutate()}
              />
            </div>
          )}
          {state === "done" && (
            <div className={classes.acts}>
              <Button variant="outline" onClick={() => setAsking("back")}>
                {words.back}
              </Button>
              <Button variant="subtle" onClick={() => setAsking("keep")}>
                {words.keep}
              </Button>
            </div>
          )}
          {state === "leaving" && trouble !== null && (
            <div className={classes.acts}>
              <Button variant="outline" onClick={() => setAsking("keep")}>
                {words.giveUp}
              </Button>
            </div>
          )}
          <FormMessage
            bad={
              (links.error && withReason(words.linksFailed, links.error, failure.silent)) ||
              (asking === null && keep.error && withReason(words.keepFailed, keep.error, failure.silent)) ||
              null
            }
          />
        </div>
      </SheetBody>
      <SheetFooter>
        <SheetActions>
          {state === "left" && (
            <SubmitButton
              type="button"
              variant="outline"
              busy={keep.isPending}
              label={words.understood}
              working={words.keepDoing}
              onClick={() => keep.mutate()}
            />
          )}
          <Button variant="subtle" size="lg" onClick={onClose}>
            {common.close}
          </Button>
        </SheetActions>
      </SheetFooter>
      <Ask
        opened={asking === "back"}
        onClose={() => setAsking(null)}
        onConfirm={() => back.mutate()}
        title={words.backTitle(name)}
        text={words.backText}
        confirm={words.backDo}
        working={words.backDoing}
        of={back}
        failed={words.backFailed}
        reason
        danger
      />
      <Ask
        opened={asking === "keep"}
        onClose={() => setAsking(null)}
        onConfirm={() => keep.mutate()}
        title={words.keepTitle}
        text={words.keepText}
        confirm={words.keepDo}
        working={words.keepDoing}
        of={keep}
        failed={words.keepFailed}
        reason
      />
    </>
  );
}
