import type { SetupFailure } from "@krug/contract/vpn/server-setup";
import { Button } from "@mantine/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { withReason } from "../../../lib/api.ts";
import { secondsClock } from "../../../lib/format.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { Ring, type RingState } from "../../../ui/ring.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Sheet, SheetActions } from "../../../ui/sheet.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import type { Server } from "./queries.ts";
import classes from "./setup-dialog.module.css";
import { type SetupWords, useSetupWords } from "./setup-words.ts";
import { type Line, type Setup, type StepState, type TunnelPlace, useSetup } from "./use-setup.ts";
import { useServersWords } from "./words.ts";

/** The dialog finishes this long after the last step has succeeded (specification, operator's side 2). */
const FINISH_AFTER_MS = 2_000;

const RINGS: Record<StepState["state"], RingState> = {
  pending: "never",
  running: "wait",
  success: "done",
  error: "bad",
};

/** Makes an empty machine a VPN server in three steps. They run on the server, not in this dialog. */
export function SetupDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const words = useSetupWords();
  const { common, failure } = useText();
  const setup = useSetup(server.id);
  const { steps, isComplete } = setup;
  const finish = useRef(onClose);
  finish.current = onClose;
  // A server that was already set up is here to be moved.
  const wasIncomplete = useRef(false);
  wasIncomplete.current ||= steps !== undefined && !isComplete;
  const isFinished = isComplete && wasIncomplete.current;
  useEffect(() => {
    if (!isFinished) return;
    const timer = setTimeout(() => finish.current(), FINISH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isFinished]);
  const [isWhole, setWhole] = useState(false);
  const running = steps?.find(({ state }) => state === "running");
  const next = running ? undefined : steps?.find(({ state }) => state !== "success");
  const waiting = steps?.filter(({ state }) => state !== "success").length ?? 0;
  const { begin, isStopping } = setup;
  /** The step that was running at the previous rendering. */
  const ran = useRef<StepState["step"] | null>(null);
  useEffect(() => {
    if (running) {
      ran.current = running.step;
      return;
    }
    const ended = steps?.find(({ step }) => step === ran.current);
    ran.current = null;
    if (!isWhole || ended === undefined) return;
    // If a step fails, is stopped or does not start at all, the next one does not start either.
    if (ended.state === "success" && next !== undefined && !isStopping) begin(next.step);
    else setWhole(false);
  });
  const beginAll = () => {
    if (next === undefined) return;
    begin(next.step);
    setWhole(true);
  };
  return (
    <Sheet
      onClose={onClose}
      title={words.title(server.name)}
      wide
      footer={
        <SheetActions>
          <Button variant="subtle" size="lg" onClick={onClose}>
            {common.close}
          </Button>
          {next && waiting > 1 && (
            <Button size="lg" onClick={beginAll}>
              {words.all}
            </Button>
          )}
          {running && (
            <Button variant="outline" size="lg" aria-disabled={setup.isStopping || undefined} onClick={setup.stop}>
              {setup.isStopping ? words.stopping : words.stop}
            </Button>
          )}
        </SheetActions>
      }
    >
      {setup.state.isPending && <Waiting label={words.loading} />}
      {!steps && setup.state.isError && (
        <LoadFailed title={words.failed} error={setup.state.error} onRetry={() => void setup.state.refetch()} />
      )}
      {setup.place !== null && (
        <Place
          value={setup.place}
          why={setup.whySystem}
          onChoose={setup.choose}
          isBusy={running !== undefined}
          mayMove={server.isSetupComplete}
        />
      )}
      {steps && (
        <ol className={classes.steps}>
          {steps.map((step) => (
            <Step
              key={step.step}
              step={step}
              place={setup.place ?? "docker"}
              lines={setup.linesOf(step)}
              onBegin={step === next ? () => setup.begin(step.step) : null}
              isOnly={waiting === 1}
            />
          ))}
        </ol>
      )}
      <div className={classes.foot}>
        {running && <p>{setup.isStopping ? words.stopsBetween : isWhole ? words.allWhileOpen : words.mayClose}</p>}
        {steps?.[0]?.state === "pending" && server.credentials?.hasPassword && <p>{words.passwordForgotten}</p>}
        <FormMessage
          bad={
            (setup.error && withReason(words.beginFailed, setup.error, failure.silent)) ||
            (setup.chooseError && withReason(words.place.failed, setup.chooseError, failure.silent)) ||
            (setup.stopError && withReason(words.stopFailed, setup.stopError, failure.silent))
          }
          good={isFinished ? words.complete : null}
        />
        {setup.isAnswerLost && <p role="status">{words.answerLost}</p>}
      </div>
    </Sheet>
  );
}

interface PlaceProps {
  value: TunnelPlace;
  why: Setup["whySystem"];
  onChoose: (place: TunnelPlace) => void;
  isBusy: boolean;
  mayMove: boolean;
}

/** Where the steps put the tunnels: preselected, and the operator may change it. */
function Place({ value, why, onChoose, isBusy, mayMove }: PlaceProps) {
  const { place: words } = useSetupWords();
  const choice = (each: TunnelPlace) => ({ value: each, label: words.choices[each] });
  return (
    <fieldset className={classes.place} disabled={isBusy}>
      <Segments label={words.label} value={value} onChange={onChoose} choices={[choice("docker"), choice("system")]} />
      <p>{why !== null && value === "system" && !mayMove ? words.why[why] : words.leads[value]}</p>
      {mayMove && <p>{words.moves}</p>}
    </fieldset>
  );
}

interface StepProps {
  step: StepState;
  place: TunnelPlace;
  lines: readonly Line[];
  /** null: it is not this step's turn. */
  onBegin: (() => void) | null;
  /** It is the only step left: there is no button for all of them. */
  isOnly: boolean;
}

function Step({ step: { step, state, failure, why }, place, lines, onBegin, isOnly }: StepProps) {
  const words = useSetupWords();
  const { problems, unfit } = useServersWords();
  // A machine's own problem has its sentence on the card too.
  const failures: Record<SetupFailure, string> = { ...problems, ...unfit, ...words.failures };
  const { title, begin, ...leads } = words.steps[step];
  const lead = place === "docker" ? leads.lead : leads.leadWithout;
  return (
    <li className={classes.step} data-state={state}>
      <Ring state={RINGS[state]} size={28} />
      <div className={classes.what}>
        <h3>{title}</h3>
        <p className={classes.state} role="status">
          {words.states[state]}
        </p>
        {state === "pending" && <p className={classes.lead}>{lead}</p>}
        {state === "error" && failure !== null && (
          <div role="alert">
            <p>{failures[failure]}</p>
            {why !== null && <Reason why={why} />}
          </div>
        )}
        <Log title={title} lines={lines} isOpen={state === "running" || state === "error"} />
        {onBegin && (
          <Button variant={isOnly ? "filled" : "outline"} className={classes.begin ?? ""} onClick={onBegin}>
            {state === "error" ? words.again(begin) : begin}
          </Button>
        )}
      </div>
    </li>
  );
}

/** A step's lines. Those of a step that succeeded are collapsed. */
function Log({ title, lines, isOpen }: { title: string; lines: readonly Line[]; isOpen: boolean }) {
  const words = useSetupWords();
  const said = lines.flatMap((line) => {
    const text = sentenceOf(line.text, words);
    return text === null ? [] : [{ ...line, ...text }];
  });
  if (said.length === 0) return null;
  const console = <Console label={words.log(title)} lines={said} />;
  if (isOpen) return console;
  return (
    <details className={classes.log}>
      <summary className="k-focus">{words.lines(said.length)}</summary>
      {console}
    </details>
  );
}

interface Said extends Line {
  isOwn: boolean;
}

function Console({ label, lines }: { label: string; lines: readonly Said[] }) {
  const words = useSetupWords();
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const last = lines.at(-1);
  // It scrolls to its end, unless its reader has scrolled up.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last line is what it follows
  useLayoutEffect(() => {
    const { current } = place;
    if (current && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [last?.runId, last?.number]);
  return (
    <div className={classes.console}>
      <div
        ref={place}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys
        tabIndex={0}
        className={`${classes.scroll} k-focus`}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          isAtEnd.current = scrollTop + clientHeight > scrollHeight - 24;
        }}
      >
        {lines.map(({ runId, number, at, text, isOwn }) => (
          <p key={`${runId}${number}`} data-own={isOwn || undefined}>
            <time>{secondsClock(Date.parse(at))}</time> <span>{text}</span>
          </p>
        ))}
      </div>
      <CopyButton
        text={lines.map(({ text }) => text).join("\n")}
        label={words.copy}
        size="sm"
        variant="subtle"
        data-flush="always"
      />
    </div>
  );
}

const OWN_LINE = /^#krug (\w+)(?: (\S+))?(?: (.*))?$/;

/** The panel's own lines in the reader's language; null: a marker that is not for reading. */
function sentenceOf(text: string, words: SetupWords): { text: string; isOwn: boolean } | null {
  const own = OWN_LINE.exec(text);
  if (own === null) return { text, isOwn: false };
  const [, kind, word = "", details = ""] = own;
  const known: Partial<Record<string, Readonly<Record<string, (details: string) => string>>>> = {
    stage: words.stages,
    note: words.notes,
  };
  const sentence = known[kind ?? ""]?.[word];
  if (sentence !== undefined) return { text: sentence(details.trim()), isOwn: true };
  return known[kind ?? ""] === undefined ? null : { text: `${word} ${details}`.trim(), isOwn: true };
}
