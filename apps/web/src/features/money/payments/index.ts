export { PaymentsOf } from "./payments-of.tsx";
export { useStaffPaymentsWords } from "./staff-words.ts";
