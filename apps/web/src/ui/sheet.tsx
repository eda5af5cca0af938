import { Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import "@mantine/core/styles/Modal.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { firstFocusable } from "../lib/first-focusable.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import { useLayer } from "../lib/layers.ts";
import { ConnectionPlaceOfSheet } from "./connection-place.tsx";
import classes from "./sheet.module.css";

interface Props {
  opened?: boolean;
  /** null: it stays until its question is answered. */
  onClose: (() => void) | null;
  title: string;
  children?: React.ReactNode;
  /** SheetBody and SheetFooter, if their contents belong together or change while the sheet is open. */
  parts?: React.ReactNode;
  footer?: React.ReactNode;
  /** A question stays small, also on a phone. */
  small?: boolean;
  /** Room for a text with a list next to it. */
  wide?: boolean;
}

/** The open sheets in the order in which they were opened. Wherever they are in the page, the last is on top. */
let openings = 0;
let open: readonly number[] = [];
const listeners = new Set<() => void>();
const setOpen = (next: readonly number[]) => {
  open = next;
  for (const listener of listeners) listener();
};
const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

function useIsOnTop(isOpen: boolean): boolean {
  // During rendering, not after it: a sheet inside another one that opens with it comes on top.
  const order = useMemo(() => (isOpen ? ++openings : 0), [isOpen]);
  useEffect(() => {
    if (order === 0) return;
    setOpen([...open, order]);
    return () => setOpen(open.filter((one) => one !== order));
  }, [order]);
  const top = useSyncExternalStore(listen, () => Math.max(0, ...open));
  return order >= top;
}

/** When its dialog closes, a menu is gone: the opener is the menu's button. */
function openerNow(): Element | null {
  const focused = document.activeElement;
  const button = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return button ? document.getElementById(button) : focused;
}

/** Of each sheet what opened it, and before that the sheet from which it opened. */
const openersOf = new WeakMap<Element, readonly Element[]>();

function openersNow(): readonly Element[] {
  const opener = openerNow();
  if (opener === null || opener === document.body) return [];
  const sheet = opener.closest("[role=dialog]");
  return [opener, ...((sheet && openersOf.get(sheet)) ?? [])];
}

/**
 * A removed dialog returns the focus to what opened it; if that was in a dialog that it replaced, to what opened that one. If all
 * are gone, to what replaced them in the list, such as the undo button of a deletion, or to the page's heading.
 */
function useFocusBack(sheet: HTMLElement | null) {
  const [openers] = useState(openersNow);
  const [item] = useState(() => openers.at(-1)?.closest("li") ?? null);
  useEffect(() => {
    if (sheet) openersOf.set(sheet, openers);
  }, [sheet, openers]);
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const inPlace = item?.isConnected ? item.querySelector("button") : null;
        const place =
          openers.find(({ isConnected }) => isConnected) ??
          inPlace ??
          document.querySelector("[role=dialog]") ??
          document.querySelector("h1");
        (place as HTMLElement | null)?.focus({ preventScroll: true });
      });
    },
    [openers, item],
  );
}

const BODY = ".mantine-Modal-body";
const MEANT = "[data-autofocus]:not(:disabled)";

/**
 * Content that loads after the sheet opened gets the focus, unless somebody has begun to do something. If the focused element is
 * removed or disabled, the focus stays in the sheet.
 */
function useFocusKept(sheet: HTMLElement | null, isOnTop: boolean) {
  const settled = useRef(false);
  useEffect(() => {
    if (sheet === null || !isOnTop) return;
    const settle = () => {
      settled.current = true;
    };
    if (sheet.querySelector(MEANT)) settle();
    const watch = new MutationObserver(() => {
      const { activeElement: focused, body } = document;
      if (settled.current && focused !== body) return;
      const meant = sheet.querySelector<HTMLElement>(MEANT);
      const content = focused?.closest(BODY) ? null : sheet.querySelector(BODY);
      const first = meant ?? (content && firstFocusable(content));
      if (first !== null) settle();
      (first ?? (focused === body ? sheet : null))?.focus({ preventScroll: true });
    });
    watch.observe(sheet, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    for (const event of ["pointerdown", "keydown"]) sheet.addEventListener(event, settle);
    return () => {
      watch.disconnect();
      for (const event of ["pointerdown", "keydown"]) sheet.removeEventListener(event, settle);
    };
  }, [sheet, isOnTop]);
}

/** A dialog with one scrolling body and a fixed footer. On a phone a sheet of full height. */
export function Sheet({ opened = true, onClose, title, children, parts, footer, small = false, wide = false }: Props) {
  const { common } = useText();
  const [sheet, setSheet] = useState<HTMLElement | null>(null);
  useFocusBack(sheet);
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false }) ?? false;
  const isOnTop = useIsOnTop(opened);
  useLayer(opened, onClose);
  useFocusKept(sheet, isOnTop);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose ?? (() => {})}
      // Escape closes the sheet on top, not all of them.
      closeOnEscape={onClose !== null && isOnTop}
      closeOnClickOutside={onClose !== null}
      size={small ? 440 : wide ? 880 : 560}
      fullScreen={phone && !small}
      centered
      radius="lg"
      classNames={classes}
      transitionProps={{ duration: 180, transition: "fade-up", timingFunction: "cubic-bezier(.2,.7,.3,1)" }}
    >
      <Modal.Overlay />
      <Modal.Content ref={setSheet} data-small={small || undefined}>
        {/* The library makes it a <header>, which outside a section would be a second banner of the page. */}
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
        </Modal.Header>
        {!small && <ConnectionPlaceOfSheet />}
        {parts ?? (
          <>
            <SheetBody>{children}</SheetBody>
            {footer && <SheetFooter>{footer}</SheetFooter>}
          </>
        )}
        {/* Last, so that a dialog starts with its first field. */}
        {onClose && <Modal.CloseButton aria-label={common.close} iconSize={20} />}
      </Modal.Content>
    </Modal.Root>
  );
}

interface BodyProps {
  children: React.ReactNode;
  /** Nothing in it is focusable. Then it takes the focus itself, so that keys can scroll it. */
  reading?: boolean;
}

export const SheetBody = ({ children, reading = false }: BodyProps) => (
  <Modal.Body {...(reading ? { tabIndex: 0, className: "k-focus" } : {})}>{children}</Modal.Body>
);

export const SheetFooter = ({ children }: { children: React.ReactNode }) => (
  <div className={classes.footer}>{children}</div>
);

/** Cancel and the action, side by side. A single button takes the whole line. */
export const SheetActions = ({ children }: { children: React.ReactNode }) => (
  <div className={classes.actions}>{children}</div>
);
