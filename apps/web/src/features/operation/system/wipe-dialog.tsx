import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Losses } from "../../../ui/losses.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { Sheet, SheetActions, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import classes from "./system.module.css";
import { STEP_MS, useWipe } from "./use-wipe.ts";
import { useSystemWords } from "./words.ts";

/** 'Delete everything': a simulation. The panel only learns that it was started (decisions, section 11). */
export function WipeDialog({ onClose }: { onClose: () => void }) {
  const { wipe: words } = useSystemWords();
  const toast = useToast();
  const [running, setRunning] = useState(false);
  const stop = () => {
    if (running) void toast("good", words.stopped);
    onClose();
  };
  return (
    <Sheet
      onClose={stop}
      title={running ? words.running : words.ask}
      parts={
        running ? (
          <Progress onStop={stop} onReset={onClose} />
        ) : (
          <Question onStarted={() => setRunning(true)} onClose={onClose} />
        )
      }
    />
  );
}

function Question({ onStarted, onClose }: { onStarted: () => void; onClose: () => void }) {
  const { wipe: words } = useSystemWords();
  const { common } = useText();
  const starting = useCommand({
    mutationFn: () => api("POST /admin/system/wipe-simulation"),
    onSuccess: onStarted,
  });
  return (
    <>
      <SheetBody>
        <Losses lead={words.askLead} things={words.things} />
        <FormMessage error={starting.error} failed={words.failed} />
      </SheetBody>
      <SheetFooter>
        <SheetActions>
          <Button variant="subtle" size="lg" onClick={onClose} data-autofocus>
            {common.cancel}
          </Button>
          <SubmitButton
            danger
            type="button"
            busy={starting.isPending}
            label={words.confirm}
            working={words.starting}
            onClick={() => starting.mutate()}
          />
        </SheetActions>
      </SheetFooter>
    </>
  );
}

function Progress({ onStop, onReset }: { onStop: () => void; onReset: () => void }) {
  const { wipe: words } = useSystemWords();
  const { common } = useText();
  const step = useWipe(onReset);
  const isOver = step === STEP_MS.length;
  return (
    <>
      <SheetBody>
        <p className={classes.step} role="status">
          {!isOver && words.step(step + 1, STEP_MS.length, words.steps[step] ?? "")}
        </p>
        <div
          className={classes.track}
          role="progressbar"
          aria-label={words.progress}
          aria-valuemin={0}
          aria-valuemax={STEP_MS.length}
          aria-valuenow={step}
        >
          <span style={{ width: `${(100 * step) / STEP_MS.length}%` }} />
        </div>
        <ol className={classes.steps}>
          {words.steps.map((name, place) => (
            <li key={name} data-later={place > step || undefined} aria-current={place === step ? "step" : undefined}>
              <Ring state={place < step ? "done" : place === step ? "wait" : "never"} size={22} />
              {name}
            </li>
          ))}
        </ol>
        <div role="alert">
          {isOver && (
            <p className={classes.critical}>
              <Ring state="bad" size={24} />
              {words.critical}
            </p>
          )}
        </div>
      </SheetBody>
      <SheetFooter>
        <SheetActions>
          <Button variant="outline" size="lg" onClick={isOver ? onReset : onStop}>
            {isOver ? common.close : words.stop}
          </Button>
        </SheetActions>
      </SheetFooter>
    </>
  );
}
