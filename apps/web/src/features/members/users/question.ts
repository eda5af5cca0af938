import type { AskProps } from "../../../ui/ask.tsx";

/** What is asked of one member or, in slices, of many. */
export interface Question extends Pick<AskProps, "title" | "onClose" | "onConfirm" | "busy" | "bad"> {
  /** The button's label where it goes on with what was begun. */
  confirm?: string | undefined;
  /** How far it has come with many, in words. */
  progress?: string | null;
}
