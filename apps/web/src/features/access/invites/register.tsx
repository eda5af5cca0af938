import { PASSWORD_MIN } from "@krug/domain/account-rules";
import { normalizeInviteCode } from "@krug/domain/invite-rules";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, api, Refusal } from "../../../lib/api.ts";
import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";
import { useNewcomerText } from "../../../lib/i18n/newcomer.ts";
import { useLayer } from "../../../lib/layers.ts";
import { successIsRead } from "../../../lib/success-is-read.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { type Account, AccountForm } from "../../../ui/account-form.tsx";
import { DoorLink } from "../../../ui/door-link.tsx";
import { Entrance, EntranceForm } from "../../../ui/entrance.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { meQuery } from "../auth/index.ts";
import { maintenanceQuery } from "../maintenance/index.ts";
import { CodeStep } from "./code-step.tsx";
import { broughtCode, forgetBroughtCode } from "./invitation.ts";

interface RegistrationStep {
  /** The accepted code, in the second step. */
  code: string | null;
  /** Accepted before Back. A person with a link never saw it. */
  earlier: string | null;
}

/** A phone may reload the page when somebody switches to another app, which is where the code comes from. */
const STEP = "krug.registration";
function keptStep(): RegistrationStep {
  const kept = JSON.parse(keptForTab(STEP) ?? "null") as RegistrationStep | null;
  const brought = broughtCode();
  // Another invitation was opened in this tab meanwhile.
  const isOld = kept && brought !== null && normalizeInviteCode(brought) !== kept.code;
  return kept && !isOld ? kept : { code: null, earlier: null };
}

export function Register() {
  const { register, landing } = useNewcomerText();
  usePageTitle(register.title);
  const [{ code, earlier }, setStep] = useState(keptStep);
  const closed = useQuery(maintenanceQuery).data ?? false;

  const go = useCallback((step: RegistrationStep) => {
    keepForTab(STEP, JSON.stringify(step));
    setStep(step);
  }, []);
  const toCode = (known: string | null) => {
    forgetBroughtCode();
    go({ code: null, earlier: known });
  };
  const toAccount = useCallback((accepted: string) => go({ code: accepted, earlier: null }), [go]);

  if (closed) return <Closed />;
  return (
    <Entrance
      page="form"
      low={code !== null}
      you={code ? "taken" : "free"}
      {...(code ? {} : { seatLabel: landing.seat })}
    >
      {code ? (
        <AccountStep code={code} onBack={() => toCode(code)} onOtherCode={() => toCode(null)} />
      ) : (
        <EntranceForm eyebrow={register.step(1)} title={register.codeTitle} aside={<SignInInstead />}>
          <CodeStep onAccepted={toAccount} earlier={earlier} />
        </EntranceForm>
      )}
    </Entrance>
  );
}

interface Step {
  code: string;
  onBack: () => void;
  onOtherCode: () => void;
}

function AccountStep({ code, onBack, onOtherCode }: Step) {
  const { register } = useNewcomerText();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const place = useRef<HTMLDivElement>(null);
  useLayer(true, onBack);
  useEffect(() => place.current?.querySelector<HTMLElement>("h1")?.focus(), []);

  const [isIn, setIsIn] = useState(false);
  const entry = useCommand({
    mutationFn: async (account: Account) => {
      const { token, user } = await api("POST /auth/register", { body: { ...account, inviteCode: code } });
      if (!token) throw new Refusal(register.noToken);
      return user;
    },
    onSuccess: async (user) => {
      setIsIn(true);
      await successIsRead();
      queryClient.setQueryData(meQuery.queryKey, user);
      void navigate({ to: "/dashboard", replace: true });
    },
  });
  const codeIsGone = entry.error instanceof ApiError && entry.error.code.startsWith("invite.");
  return (
    <div ref={place} style={{ display: "contents" }}>
      <EntranceForm
        eyebrow={register.step(2)}
        title={register.accountTitle}
        lead={register.accountLead}
        aside={<SignInInstead />}
      >
        <AccountForm
          onSubmit={entry.mutate}
          busy={entry.isPending || entry.isSuccess}
          error={entry.error}
          failed={register.failed}
          good={isIn ? register.success : null}
          label={register.submit}
          working={register.working}
          passwordMin={PASSWORD_MIN}
        />
        {codeIsGone && (
          <Button variant="outline" style={{ marginTop: 12 }} onClick={onOtherCode}>
            {register.anotherCode}
          </Button>
        )}
      </EntranceForm>
    </div>
  );
}

function SignInInstead() {
  const { register } = useNewcomerText();
  return (
    <>
      <span>{register.member}</span>
      <DoorLink to="/login">{register.toLogin}</DoorLink>
    </>
  );
}

function Closed() {
  const { register } = useNewcomerText();
  return (
    <Entrance page="form" you="free">
      <EntranceForm title={register.closedTitle} lead={register.closedText}>
        <p style={{ marginTop: 16 }}>
          <DoorLink to="/login">{register.closedBack}</DoorLink>
        </p>
      </EntranceForm>
    </Entrance>
  );
}
