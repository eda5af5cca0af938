import { useEffect, useState } from "react";
import { lazyDialog } from "../../ui/lazy-dialog.tsx";
import type { Me } from "../auth/index.ts";
import { onTwoFactorAsked } from "./ask.ts";

const TwoFactorDialog = lazyDialog(() =>
  import("./two-factor-dialog.tsx").then(({ TwoFactorDialog }) => TwoFactorDialog),
);

/** Shows the two-factor dialog when a staff call asks for it. */
export function TwoFactorGate({ me }: { me: Me }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => onTwoFactorAsked(() => setAsked(true)), []);
  return asked ? <TwoFactorDialog me={me} onClose={() => setAsked(false)} /> : null;
}
