package network

import (
	"bufio"
	"io"
	"net/netip"
	"slices"
	"strings"
)

// owners map addresses inside the tunnel to peers. WireGuard lets each peer send only from its own addresses, which is why a
// source can be trusted.
type owners struct {
	peers   map[netip.Prefix]string
	lengths []int // of the existing prefixes, longest first
}

func (owners *owners) of(address netip.Addr) (string, bool) {
	if owners == nil {
		return "", false
	}
	for _, length := range owners.lengths {
		prefix, err := address.Prefix(length)
		if err != nil {
			continue // too long for an IPv4 address
		}
		if peer, isThere := owners.peers[prefix]; isThere {
			return peer, true
		}
	}
	return "", false
}

// readOwners reads a device's answer to get=1.
func readOwners(answer io.Reader) (*owners, error) {
	read := &owners{peers: map[netip.Prefix]string{}}
	lines := bufio.NewScanner(answer)
	peer := ""
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), "=")
		switch key {
		case "public_key":
			peer = value
		case "allowed_ip":
			prefix, err := netip.ParsePrefix(value)
			if err != nil {
				return nil, err
			}
			read.peers[prefix.Masked()] = peer
			if !slices.Contains(read.lengths, prefix.Bits()) {
				read.lengths = append(read.lengths, prefix.Bits())
			}
		}
	}
	slices.SortFunc(read.lengths, func(one, other int) int { return other - one })
	return read, lines.Err()
}
