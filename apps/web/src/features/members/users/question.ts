import type { AskProps } from "../../../ui/ask.tsx";

/** A confirmation about one member or, in slices, about many. */
export interface Question extends Pick<AskProps, "title" | "onClose" | "onConfirm" | "busy" | "bad"> {
  /** The button's label if it continues an action. */
  confirm?: string | undefined;
  /** Progress with many members, in words. */
  progress?: string | null;
}

/** The same with something to choose for all of them. */
export interface ChoosingQuestion<Chosen> extends Omit<Question, "onConfirm"> {
  /** The first part is done: the rest gets the same. */
  isFixed: boolean;
  onConfirm: (chosen: Chosen) => void;
}
