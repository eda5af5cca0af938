import { type ComponentType, lazy, Suspense } from "react";

/** A dialog whose code is fetched when it is first opened; it is shown inside a DialogPlace. */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: (await load()) as ComponentType<object> })) as unknown as ComponentType<Props>;
}

/** While a dialog's code is on its way, the page behind it stays as it is. */
export function DialogPlace({ children }: { children: React.ReactNode }) {
  return <Suspense fallback={null}>{children}</Suspense>;
}
