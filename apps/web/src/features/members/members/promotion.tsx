import { PASSWORD_MIN_STAFF } from "@krug/domain/account-rules";
import type { Role } from "@krug/domain/roles";
import { Button } from "@mantine/core";
import { Banner } from "../../../ui/banner.tsx";
import classes from "./promotion.module.css";
import { useSettingsWords } from "./settings-words.ts";

/** A role given by an admin waits for a password that is long enough for it. */
export function Promotion({ role, onChange }: { role: Role; onChange: () => void }) {
  const words = useSettingsWords();
  return (
    <aside aria-label={words.promoted[role]} className={classes.place}>
      <Banner
        tone="move"
        title={words.promoted[role]}
        action={
          <Button variant="outline" onClick={onChange}>
            {words.setPassword}
          </Button>
        }
      >
        {words.promotedMore(PASSWORD_MIN_STAFF)}
      </Banner>
    </aside>
  );
}
