import { useId } from "react";
import { useText } from "../../lib/i18n/use-text.tsx";
import { LoadFailed } from "../../ui/load-failed.tsx";
import { Ring } from "../../ui/ring.tsx";
import classes from "./system.module.css";

interface Props<Data> {
  title: string;
  query: { data: Data | undefined; error: unknown; isPending: boolean; refetch: () => unknown };
  /** What is said where it could not be loaded. */
  failed: string;
  children: (data: Data) => React.ReactNode;
}

/** One part of the screen, with what it asks the panel for: what was known stays, and what failed is said above it. */
export function Panel<Data>({ title, query, failed, children }: Props<Data>) {
  const { common } = useText();
  const id = useId();
  const { data, error, isPending } = query;
  return (
    <section className={classes.panel} aria-labelledby={id} aria-busy={isPending}>
      <h2 id={id}>{title}</h2>
      {error !== null && <LoadFailed title={failed} error={error} onRetry={() => void query.refetch()} />}
      {data === undefined && error === null && (
        <div className={classes.waiting} role="status" aria-label={common.loading}>
          <Ring state="wait" size={32} />
        </div>
      )}
      {data !== undefined && children(data)}
    </section>
  );
}
