import { LoadFailed } from "./load-failed.tsx";
import { Waiting } from "./waiting.tsx";

interface Props extends React.ComponentProps<typeof Waiting> {
  of: { isError: boolean; isPending: boolean; error: unknown; refetch: () => unknown };
  /** What could not be loaded. */
  failed: string;
}

/** What stands where a query's answer will be: a placeholder until it comes, or why it did not. */
export const Loading = ({ of, failed, ...waiting }: Props) => (
  <>
    {of.isError && <LoadFailed title={failed} error={of.error} onRetry={() => void of.refetch()} />}
    {of.isPending && <Waiting {...waiting} />}
  </>
);
