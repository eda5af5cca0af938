export { MessageSheet } from "./message-sheet.tsx";
export { NotifyDialog } from "./notify-dialog.tsx";
