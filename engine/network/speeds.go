package network

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// Speeds are members' speed limits as the panel's messages spell them. File is where this machine's engines count together.
type Speeds struct {
	File   string       `json:"file"`
	Limits []SpeedLimit `json:"limits"`
}

// SpeedLimit holds for all sources together, in each direction. Bucket is the first of its two places in the file.
type SpeedLimit struct {
	Bucket  int          `json:"bucket"`
	Mbit    float64      `json:"mbit"`
	Sources []netip.Addr `json:"sources"`
}

// ReadSpeeds parses the line of JSON entirely, or returns an error.
func ReadSpeeds(line []byte) (*Speeds, error) {
	var read Speeds
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	if !filepath.IsAbs(read.File) || read.Limits == nil {
		return nil, errors.New("no file or no limits")
	}
	buckets, sources := map[int]bool{}, map[netip.Addr]bool{}
	for _, each := range read.Limits {
		if each.Bucket < 0 || each.Bucket%2 != 0 || each.Bucket+1 >= bucketCount || buckets[each.Bucket] {
			return nil, fmt.Errorf("no bucket of its own: %d", each.Bucket)
		}
		buckets[each.Bucket] = true
		if each.Mbit < leastMbit || each.Mbit > mostMbit {
			return nil, fmt.Errorf("no speed: %v", each.Mbit)
		}
		for _, address := range each.Sources {
			if !address.IsValid() || address.Zone() != "" || address.Is4In6() || sources[address] {
				return nil, fmt.Errorf("no address of its own: %s", address)
			}
			sources[address] = true
		}
	}
	return &read, nil
}

const leastMbit, mostMbit = 0.1, 100_000

// The most bytes that wait for a member in one direction: a tenth of a second, and no less than two of the largest packets.
func roomFor(mbit float64) int { return max(int(mbit*1e6/80), 2*65_536) }

// packet is what waits in a lane.
type packet interface{ Size() int }

// lane holds what waits for a member in one direction: a queue for each of their addresses, which take turns. Its owner locks it.
type lane[P packet] struct {
	bucket  *bucket // nil: no limit any more
	room    int
	bytes   int
	waiting map[tcpip.Address][]P
	held    map[tcpip.Address]int // bytes
	turns   []tcpip.Address
}

func newLane[P packet]() *lane[P] {
	return &lane[P]{waiting: map[tcpip.Address][]P{}, held: map[tcpip.Address]int{}}
}

func (lane *lane[P]) isEmpty() bool { return len(lane.turns) == 0 }

// put returns false if the packet finds no room. If another address has more than its share, that one loses its newest instead.
func (lane *lane[P]) put(address tcpip.Address, added P, drop func(P)) bool {
	size := added.Size()
	if len(lane.waiting[address]) >= waitingPerDevice {
		return false
	}
	for lane.bytes+size > lane.room && lane.bytes > 0 {
		longest := address
		for each, bytes := range lane.held {
			if bytes > lane.held[longest]+size {
				longest = each
			}
		}
		if longest == address {
			return false
		}
		queue := lane.waiting[longest]
		last := queue[len(queue)-1]
		lane.waiting[longest] = queue[:len(queue)-1]
		lane.forget(longest, last.Size())
		if len(queue) == 1 {
			lane.turns = without(lane.turns, longest)
		}
		drop(last)
	}
	if len(lane.waiting[address]) == 0 {
		lane.turns = append(lane.turns, address)
	}
	lane.waiting[address] = append(lane.waiting[address], added)
	lane.held[address] += size
	lane.bytes += size
	return true
}

// next takes a packet that may pass now, or tells how long the first one waits. Call it only if there is one.
func (lane *lane[P]) next() (P, time.Duration) {
	address := lane.turns[0]
	queue := lane.waiting[address]
	first := queue[0]
	if wait := lane.bucket.take(first.Size()); wait > 0 {
		var none P
		return none, wait
	}
	lane.turns = lane.turns[1:]
	lane.waiting[address] = queue[1:]
	lane.forget(address, first.Size())
	if len(queue) > 1 {
		lane.turns = append(lane.turns, address)
	}
	return first, 0
}

func (lane *lane[P]) forget(address tcpip.Address, bytes int) {
	lane.bytes -= bytes
	lane.held[address] -= bytes
	if len(lane.waiting[address]) == 0 {
		delete(lane.waiting, address)
		delete(lane.held, address)
	}
}

func without(turns []tcpip.Address, gone tcpip.Address) []tcpip.Address {
	left := make([]tcpip.Address, 0, len(turns))
	for _, each := range turns {
		if each != gone {
			left = append(left, each)
		}
	}
	return left
}

// raw is a packet from a device, as the tunnel gave it.
type raw []byte

func (packet raw) Size() int { return len(packet) }

// upLane delays what a member's devices send.
type upLane struct {
	deliver func([]byte)
	mutex   sync.Mutex
	lane    *lane[raw]
	isBusy  bool // its timer is set, or it delivers
	timer   *time.Timer
}

func newUpLane(deliver func([]byte)) *upLane {
	made := &upLane{deliver: deliver, lane: newLane[raw]()}
	made.timer = time.AfterFunc(time.Hour, made.drain)
	made.timer.Stop()
	return made
}

// mayPass returns whether a packet need not wait. One that must is kept, or dropped if there is no room.
func (up *upLane) mayPass(source tcpip.Address, packet []byte) bool {
	up.mutex.Lock()
	defer up.mutex.Unlock()
	wait := time.Duration(0)
	if !up.isBusy {
		if wait = up.lane.bucket.take(len(packet)); wait == 0 {
			return true
		}
	}
	if up.lane.put(source, raw(bytes.Clone(packet)), func(raw) {}) && !up.isBusy {
		up.isBusy = true
		up.timer.Reset(wait)
	}
	return false
}

func (up *upLane) drain() {
	for {
		up.mutex.Lock()
		if up.lane.isEmpty() {
			up.isBusy = false
			up.mutex.Unlock()
			return
		}
		packet, wait := up.lane.next()
		if wait > 0 {
			up.timer.Reset(wait)
			up.mutex.Unlock()
			return
		}
		up.mutex.Unlock()
		up.deliver(packet)
	}
}

func (up *upLane) set(bucket *bucket, room int) {
	up.mutex.Lock()
	defer up.mutex.Unlock()
	up.lane.bucket, up.lane.room = bucket, room
	if up.isBusy && up.timer.Stop() {
		up.timer.Reset(0)
	}
}

// downLane delays what goes to a member's devices. The link locks it.
type downLane struct {
	lane     *lane[*stack.PacketBuffer]
	isInTurn bool // in the link's turns, or its timer is set
	timer    *time.Timer
}

// limits are those in force in one link.
type limits struct {
	up   atomic.Pointer[map[tcpip.Address]*upLane] // nil without any
	down map[tcpip.Address]*downLane               // the link locks it
	// By bucket, so that a changed limit keeps what waits.
	ups   map[int]*upLane
	downs map[int]*downLane
}

// limitSpeeds replaces all limits. The shared buckets come two by two: to the devices, and from them.
func (link *link) limitSpeeds(wanted []SpeedLimit, shared buckets) {
	up, down := map[tcpip.Address]*upLane{}, map[tcpip.Address]*downLane{}
	ups, downs := map[int]*upLane{}, map[int]*downLane{}
	link.mutex.Lock()
	defer link.mutex.Unlock()
	if link.isClosed {
		return
	}
	for _, each := range wanted {
		room := roomFor(each.Mbit)
		to := link.limits.downs[each.Bucket]
		if to == nil {
			to = &downLane{lane: newLane[*stack.PacketBuffer]()}
			to.timer = time.AfterFunc(time.Hour, func() { link.takeTurn(to) })
			to.timer.Stop()
		}
		to.lane.bucket, to.lane.room = shared.of(each.Bucket, each.Mbit), room
		from := link.limits.ups[each.Bucket]
		if from == nil {
			from = newUpLane(link.deliver)
		}
		from.set(shared.of(each.Bucket+1, each.Mbit), room)
		downs[each.Bucket], ups[each.Bucket] = to, from
		for _, each := range each.Sources {
			address := stackAddress(each)
			down[address], up[address] = to, from
		}
	}
	// What waits where there is no limit any more goes on at once.
	for number, gone := range link.limits.downs {
		if downs[number] == nil {
			gone.lane.bucket = nil
			if gone.timer.Stop() {
				link.turns = append(link.turns, turn{lane: gone})
				link.filled.Signal()
			}
		}
	}
	for number, gone := range link.limits.ups {
		if ups[number] == nil {
			gone.set(nil, 0)
		}
	}
	link.limits.down, link.limits.downs, link.limits.ups = down, downs, ups
	if len(up) == 0 {
		link.limits.up.Store(nil)
	} else {
		link.limits.up.Store(&up)
	}
}

func (link *link) takeTurn(lane *downLane) {
	link.mutex.Lock()
	defer link.mutex.Unlock()
	if link.isClosed {
		return
	}
	link.turns = append(link.turns, turn{lane: lane})
	link.filled.Signal()
}

// mustWait keeps a packet from a device whose member's limit is reached.
func (link *link) mustWait(packet []byte) bool {
	up := link.limits.up.Load()
	if up == nil {
		return false
	}
	source, isThere := sourceOf(packet)
	if !isThere {
		return false
	}
	lane := (*up)[source]
	return lane != nil && !lane.mayPass(source, packet)
}

func sourceOf(packet []byte) (tcpip.Address, bool) {
	switch {
	case packet[0]>>4 == 4 && len(packet) >= header.IPv4MinimumSize:
		return header.IPv4(packet).SourceAddress(), true
	case packet[0]>>4 == 6 && len(packet) >= header.IPv6MinimumSize:
		return header.IPv6(packet).SourceAddress(), true
	}
	return tcpip.Address{}, false
}
