import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { api, explain, Refusal } from "../../../lib/api.ts";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useNewcomerText } from "../../../lib/i18n/newcomer.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Banner } from "../../../ui/banner.tsx";
import { CODE_LENGTH, CodeBoxes } from "../../../ui/code-boxes.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Sheet, SheetActions, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { ShownCode } from "../../../ui/shown-code.tsx";
import { StatusStrip } from "../../../ui/status-strip.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { type Me, meQuery } from "../../access/auth/index.ts";
import { telegramQuery, unlinkCodeQuery } from "./queries.ts";
import classes from "./telegram.module.css";

/** User-side, section 9. */
const CLOSES_AFTER_MS = 2_000;

/** Initial: a code and what unlinking means. Confirm: typing the code. Success: closes by itself (specification, member's side 4). */
export function UnlinkDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { telegram } = useCircle();
  const [step, setStep] = useState<"initial" | "confirm" | "success">("initial");
  const code = useQuery({ ...unlinkCodeQuery(me.id), enabled: step !== "success" });
  const queryClient = useQueryClient();

  const finish = () => {
    setStep("success");
    queryClient.setQueryData(
      telegramQuery.queryKey,
      (known) => known && { ...known, telegramConnected: false, account: null, botBlocked: false },
    );
    void queryClient.invalidateQueries({ queryKey: telegramQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  return (
    <Sheet
      onClose={onClose}
      title={telegram.unlinkTitle}
      parts={
        <>
          {step === "initial" && <Initial code={code} onClose={onClose} onNext={() => setStep("confirm")} />}
          {step === "confirm" && (
            <Confirm
              me={me}
              code={code.data?.code ?? ""}
              onDone={finish}
              onAnotherCode={() => {
                setStep("initial");
                void code.refetch();
              }}
            />
          )}
          {step === "success" && <Success onClose={onClose} />}
        </>
      }
    />
  );
}

interface InitialProps {
  code: {
    data?: { code: string } | undefined;
    error: Error | null;
    refetch: () => Promise<unknown>;
    isFetching: boolean;
  };
  onClose: () => void;
  onNext: () => void;
}

function Initial({ code, onClose, onNext }: InitialProps) {
  const { telegram } = useCircle();
  const { common, failure } = useText();
  if (code.error)
    return (
      <SheetBody>
        <Banner
          tone="broken"
          live
          title={explain(code.error, telegram.unlinkCodeFailed, failure.silent)}
          action={
            <Button variant="outline" onClick={() => void code.refetch()}>
              {common.retry}
            </Button>
          }
        />
      </SheetBody>
    );
  return (
    <>
      <SheetBody>
        <div className={classes.linking}>
          <p>{telegram.unlinkWarning}</p>
          {code.data && !code.isFetching ? (
            <>
              <p className={classes.quiet}>{telegram.unlinkCode}</p>
              <ShownCode code={code.data.code} />
            </>
          ) : (
            <Waiting room={120} />
          )}
        </div>
      </SheetBody>
      <SheetFooter>
        <SheetActions>
          <Button size="lg" variant="subtle" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button size="lg" data-autofocus disabled={!code.data || code.isFetching} onClick={onNext}>
            {telegram.unlinkNext}
          </Button>
        </SheetActions>
      </SheetFooter>
    </>
  );
}

interface ConfirmProps {
  me: Me;
  /** The code that was shown. */
  code: string;
  onDone: () => void;
  onAnotherCode: () => void;
}

function Confirm({ me, code, onDone, onAnotherCode }: ConfirmProps) {
  const { telegram } = useCircle();
  const { register } = useNewcomerText();
  const formId = useId();
  const [typed, setTyped] = useState("");
  const unlink = useCommand({
    mutationFn: async (confirmationCode: string) => {
      if (confirmationCode.length !== CODE_LENGTH || confirmationCode !== code) throw new Refusal(telegram.wrongCode);
      return api("POST /auth/telegram/unlink", { body: { userId: me.id, confirmationCode } });
    },
    onSuccess: onDone,
  });
  return (
    <>
      <SheetBody>
        <form
          id={formId}
          className={classes.linking}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!unlink.isPending) unlink.mutate(typed);
          }}
        >
          <p>{telegram.unlinkEnter(code)}</p>
          <CodeBoxes
            label={telegram.unlinkLabel}
            boxLabel={register.codeBox}
            value={typed}
            onChange={(value) => {
              setTyped(value);
              if (unlink.isError) unlink.reset();
            }}
            error={unlink.isError}
            autoFocus
          />
          <FormMessage error={unlink.error} failed={telegram.unlinkFailed} />
        </form>
      </SheetBody>
      <SheetFooter>
        <SheetActions>
          <Button size="lg" variant="subtle" onClick={onAnotherCode}>
            {telegram.back}
          </Button>
          <SubmitButton
            form={formId}
            danger
            busy={unlink.isPending}
            label={telegram.unlink}
            working={telegram.unlinking}
          />
        </SheetActions>
      </SheetFooter>
    </>
  );
}

function Success({ onClose }: { onClose: () => void }) {
  const { telegram } = useCircle();
  useEffect(() => {
    const timer = setTimeout(onClose, CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [onClose]);
  return (
    <SheetBody>
      <StatusStrip ring="done" title={telegram.unlinked} />
    </SheetBody>
  );
}
