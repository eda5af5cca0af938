import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useSettled } from "../../../lib/use-settled.ts";
import { lazyPart } from "../../../ui/lazy.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import type { Me } from "../../access/auth/index.ts";
import { CardSkeleton } from "./card-skeleton.tsx";
import { DeviceCard } from "./device-card.tsx";
import classes from "./devices.module.css";
import { type Config, monthQuery } from "./queries.ts";
import { useRemoval } from "./use-removal.ts";

const RemovedCard = lazyPart(() => import("./removed-card.tsx").then(({ RemovedCard }) => RemovedCard));
const FindDevice = lazyPart(() => import("./find-device.tsx").then(({ FindDevice }) => FindDevice));
const DiagnosisDialog = lazyDialog(() =>
  import("./diagnosis-dialog.tsx").then(({ DiagnosisDialog }) => DiagnosisDialog),
);
const EditDialog = lazyDialog(() => import("./edit-dialog.tsx").then(({ EditDialog }) => EditDialog));
const MonthDialog = lazyDialog(() => import("./month-dialog.tsx").then(({ MonthDialog }) => MonthDialog));
const RemoveDialog = lazyDialog(() => import("./remove-dialog.tsx").then(({ RemoveDialog }) => RemoveDialog));
const ReplaceKey = lazyDialog(() => import("./replace-key.tsx").then(({ ReplaceKey }) => ReplaceKey));
const QrDialog = lazyDialog(() => import("./qr-dialog.tsx").then(({ QrDialog }) => QrDialog));

/** With fewer, looking is quicker than typing. */
const FOUND_FROM = 10;

interface Props {
  configs: Config[];
  /** false while the list is out of date: only what is open stays, with what was typed there. */
  isListed: boolean;
  right: Me["entitlement"];
  nowMs: number;
  listedAtMs: number;
  /** Shown if there is nothing here, not even a card that can be restored. */
  empty: React.ReactNode;
  /** Opens a message to support with this text. */
  onAskSupport: (text: string) => void;
  onPay: () => void;
}

export function Devices({ configs, isListed, right, nowMs, listedAtMs, empty, onAskSupport, onPay }: Props) {
  const { shown, remove, restore } = useRemoval(configs);
  const [asked, setAsked] = useState<{
    what: "remove" | "key" | "qr" | "month" | "diagnosis" | "edit";
    config: Config;
  } | null>(null);
  const [wanted, setWanted] = useState("");
  const settled = useSettled();
  const usage = useQuery({ ...monthQuery, enabled: settled && configs.length > 0 });
  const month = usage.data ?? (usage.isError ? null : undefined);
  const daysOf = (id: string) => month?.configs.find((used) => used.id === id)?.days ?? [];
  const close = () => {
    setAsked(null);
    remove.reset();
  };
  const ask = (question: string) => {
    close();
    onAskSupport(question);
  };
  if (shown.length === 0) return isListed && empty;
  const isMany = shown.length >= FOUND_FROM;
  const letters = isMany ? wanted.trim().toLowerCase() : "";
  const found = shown.filter(({ config }) => config.name.toLowerCase().includes(letters));
  const name = asked?.config.name ?? "";
  return (
    <>
      {isMany && isListed && <FindDevice wanted={wanted} onChange={setWanted} count={found.length} />}
      {isListed && (
        <ul className={classes.grid}>
          {found.map((item) => (
            <li key={item.config.id}>
              {item.kind === "removed" ? (
                <RemovedCard
                  name={item.config.name}
                  leftS={item.leftS}
                  unsure={item.unsure}
                  busy={restore.isPending && restore.variables.id === item.config.id}
                  onRestore={() => restore.mutate(item.config)}
                />
              ) : (
                <DeviceCard
                  config={item.config}
                  right={right}
                  nowMs={nowMs}
                  listedAtMs={listedAtMs}
                  month={month}
                  days={daysOf(item.config.id)}
                  onMonth={() => setAsked({ what: "month", config: item.config })}
                  onDiagnose={() => setAsked({ what: "diagnosis", config: item.config })}
                  onQr={() => setAsked({ what: "qr", config: item.config })}
                  onEdit={() => setAsked({ what: "edit", config: item.config })}
                  onRemove={() => {
                    // The focus goes to what it offers, as soon as the card is gone.
                    void RemovedCard.load();
                    setAsked({ what: "remove", config: item.config });
                  }}
                  onReplaceKey={() => setAsked({ what: "key", config: item.config })}
                />
              )}
            </li>
          ))}
        </ul>
      )}

      {asked?.what === "remove" && <RemoveDialog config={asked.config} remove={remove} onClose={close} />}
      {asked?.what === "key" && <ReplaceKey config={asked.config} onClose={close} />}
      {asked?.what === "edit" && (
        <EditDialog
          config={asked.config}
          onClose={close}
          onReplaceKey={() => setAsked({ what: "key", config: asked.config })}
        />
      )}
      {asked?.what === "month" && (
        <MonthDialog name={name} nowMs={nowMs} days={daysOf(asked.config.id)} onClose={close} />
      )}
      {asked?.what === "diagnosis" && (
        <DiagnosisDialog
          config={asked.config}
          onClose={close}
          onAskSupport={ask}
          onReplaceKey={() => setAsked({ what: "key", config: asked.config })}
          onPay={() => {
            close();
            onPay();
          }}
        />
      )}
      {asked?.what === "qr" && <QrDialog config={asked.config} onClose={close} />}
    </>
  );
}

/** Placeholders before anything is known. */
export function DevicesSkeleton() {
  const { common } = useText();
  return (
    <div className={classes.grid} role="status" aria-label={common.loading}>
      <CardSkeleton />
      <CardSkeleton />
      <CardSkeleton />
    </div>
  );
}
