import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import classes from "./system.module.css";

interface Props<Data> {
  title: string;
  query: { data: Data | undefined; error: unknown; isPending: boolean; refetch: () => unknown };
  /** The error text if it could not be loaded. */
  failed: string;
  children: (data: Data) => React.ReactNode;
}

/** One section of the screen with its query: known data stays, and an error is shown above it. */
export function AskedPanel<Data>({ title, query, failed, children }: Props<Data>) {
  const { data, error, isPending } = query;
  return (
    <Panel title={title} busy={isPending} className={classes.panel}>
      {error !== null && <LoadFailed title={failed} error={error} onRetry={() => void query.refetch()} />}
      {data === undefined && error === null && <Waiting room={80} />}
      {data !== undefined && children(data)}
    </Panel>
  );
}
