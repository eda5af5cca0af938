export { UnknownPeersBanner } from "./unknown-peers-banner.tsx";
