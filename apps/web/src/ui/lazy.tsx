import type { ComponentType } from "react";
import { type Code, type CodeState, type CodeTrouble, makeCode, useCode } from "../lib/code.ts";

export type Lazy<Props> = ((props: Props) => React.ReactNode) & Pick<Code<unknown>, "load">;

export type Load<Props> = () => Promise<ComponentType<Props>>;

/** Applies `show` to a component whose code may not have loaded yet. */
export function makeLazy<Props extends object>(
  load: Load<Props>,
  show: (state: CodeState<ComponentType<Props>>, props: Props) => React.ReactNode,
  options?: { ahead?: boolean; reloads?: boolean },
): Lazy<Props> {
  const code = makeCode(load, options);
  const Lazy = (props: Props) => show(useCode(code), props);
  return Object.assign(Lazy, { load: code.load });
}

/** A part of a page that loads later. Until then `Waiting`, or nothing, takes its place. */
export const lazyPart = <Props extends object>(
  load: Load<Props>,
  Waiting: ComponentType<{ trouble: CodeTrouble | null }> | null = null,
  options?: { ahead?: boolean },
): Lazy<Props> =>
  makeLazy(
    load,
    ({ value: Part, trouble }, props) => (Part ? <Part {...props} /> : Waiting && <Waiting trouble={trouble} />),
    options,
  );
