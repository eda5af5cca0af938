package network

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// The maximum age of the list of the machine's own addresses.
const addressesFor = time.Second

// ownAddresses are the machine's. Without a list every address counts as own, so that nothing is let through.
type ownAddresses struct {
	mutex sync.Mutex
	list  map[netip.Addr]bool
	until time.Time
}

func (own *ownAddresses) has(address netip.Addr) bool {
	own.mutex.Lock()
	defer own.mutex.Unlock()
	if now := time.Now(); now.After(own.until) {
		if fresh, err := net.InterfaceAddrs(); err == nil {
			own.list = map[netip.Addr]bool{}
			for _, each := range fresh {
				if prefix, err := netip.ParsePrefix(each.String()); err == nil {
					own.list[prefix.Addr()] = true
					if prefix.Addr().Is4() && prefix.Bits() < 31 {
						own.list[lastOf(prefix)] = true // the network's broadcast address
					}
				}
			}
			own.until = now.Add(addressesFor)
		}
	}
	return own.list == nil || own.list[address]
}
