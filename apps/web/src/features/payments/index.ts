export { PaymentsOf } from "./payments-of.tsx";
