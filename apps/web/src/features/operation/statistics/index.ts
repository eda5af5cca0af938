export { TrafficOf } from "./traffic-of.tsx";
