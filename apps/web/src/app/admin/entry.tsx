import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Me } from "../../features/auth/queries.ts";
import { elevation } from "../../lib/elevation.ts";
import { DialogPlace, lazyDialog } from "../../ui/lazy-dialog.tsx";

const TwoFactorDialog = lazyDialog(() =>
  import("../../features/two-factor/two-factor-dialog.tsx").then(({ TwoFactorDialog }) => TwoFactorDialog),
);

interface Props {
  me: Me;
  onEntered: () => void;
}

/** The two-factor dialog: at every entry, and again over the screen when what was passed no longer counts (decisions, section 3). */
export function Entry({ me, onEntered }: Props) {
  const navigate = useNavigate();
  const router = useRouter();
  const [asked, setAsked] = useState<"entry" | "again" | null>("entry");
  const answer = useRef<(passed: boolean) => void>(() => {});

  useEffect(
    () =>
      elevation.askedBy(
        () =>
          new Promise((resolve) => {
            answer.current = resolve;
            setAsked("again");
          }),
      ),
    [],
  );

  const leave = (settingUp: boolean) => {
    if (asked === "again") {
      setAsked(null);
      answer.current(false);
      return;
    }
    // Admin-side, section 2: cancelling goes back in history; from the set-up, and where there is no history, home.
    if (!settingUp && router.history.canGoBack()) router.history.back();
    else void navigate({ to: "/dashboard", replace: true });
  };
  const pass = () => {
    setAsked(null);
    if (asked === "again") answer.current(true);
    else onEntered();
  };
  return <DialogPlace>{asked && <TwoFactorDialog me={me} onCancel={leave} onPassed={pass} />}</DialogPlace>;
}
