import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import type { Me } from "../../features/access/auth/queries.ts";
import { twoFactorQuery } from "../../features/access/two-factor/queries.ts";
import { elevation, freshPassword, type StepUp } from "../../lib/step-up.ts";
import { lazyDialog } from "../../ui/lazy-dialog.tsx";

const TwoFactorDialog = lazyDialog(() =>
  import("../../features/access/two-factor/two-factor-dialog.tsx").then(({ TwoFactorDialog }) => TwoFactorDialog),
);
const PasswordDialog = lazyDialog(() =>
  import("../../features/access/two-factor/password-dialog.tsx").then(({ PasswordDialog }) => PasswordDialog),
);

interface Props {
  me: Me;
  onEntered: () => void;
}

/** Whether the proof is being asked for, and how to give the person's answer. */
function useAsked(proof: StepUp, isThere?: () => Promise<boolean>) {
  const [answer, setAnswer] = useState<((given: boolean) => void) | null>(null);
  useEffect(
    () =>
      proof.askedBy(async () => {
        if (await isThere?.()) return true;
        return new Promise<boolean>((resolve) => {
          setAnswer(() => (given: boolean) => {
            setAnswer(null);
            resolve(given);
          });
        });
      }),
    [proof, isThere],
  );
  return answer;
}

/**
 * The two-factor dialog, shown at every entry and again over the screen when the check has expired; and the password dialog, which
 * some calls require (decisions, section 3).
 */
export function Entry({ me, onEntered }: Props) {
  const navigate = useNavigate();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [entering, setEntering] = useState(true);
  /** Another tab may have passed it meanwhile: the tabs share the session, and the refused call had the old token. */
  const passedElsewhere = useCallback(
    () =>
      queryClient
        .fetchQuery(twoFactorQuery(me.id))
        .then(({ elevated }) => elevated)
        .catch(() => false),
    [queryClient, me.id],
  );
  const answerAgain = useAsked(elevation, passedElsewhere);
  const answerPassword = useAsked(freshPassword);

  const leave = (settingUp: boolean) => {
    if (!entering) return answerAgain?.(false);
    // Admin-side, section 2: cancelling goes back in history. From the set-up, and without history, it goes to the dashboard.
    if (!settingUp && router.history.canGoBack()) router.history.back();
    else void navigate({ to: "/dashboard", replace: true });
  };
  const pass = () => {
    if (!entering) return answerAgain?.(true);
    setEntering(false);
    onEntered();
  };
  return (
    <>
      {(entering || answerAgain) && <TwoFactorDialog me={me} onCancel={leave} onPassed={pass} />}
      {answerPassword && (
        <PasswordDialog
          username={me.username}
          onCancel={() => answerPassword(false)}
          onGiven={() => answerPassword(true)}
        />
      )}
    </>
  );
}
