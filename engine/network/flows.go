package network

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// flow is one device's traffic with one target.
type flow struct {
	protocol Protocol
	source   netip.AddrPort // an echo's port is its identifier
	target   netip.AddrPort
	device   string
	weight   int // bytes that its buffers may use

	touched atomic.Int64 // when it last carried data, since the start of the ledger
	patient atomic.Int64 // how long it may be silent
	ended   chan struct{}
	once    sync.Once
	onEnd   atomic.Pointer[func()]
	begun   time.Time
}

func (flow *flow) touch() { flow.touched.Store(int64(time.Since(flow.begun))) }

// end is idempotent. An action registered after the end runs at once.
func (flow *flow) end() {
	flow.once.Do(func() { close(flow.ended) })
	if act := flow.onEnd.Swap(nil); act != nil {
		(*act)()
	}
}

func (flow *flow) whenEnded(act func()) {
	flow.onEnd.Store(&act)
	if flow.hasEnded() {
		flow.end()
	}
}

func (flow *flow) hasEnded() bool {
	select {
	case <-flow.ended:
		return true
	default:
		return false
	}
}

// Limits protect devices from each other, and the machine from all of them.
type Limits struct {
	PerDevice [3]int // by protocol
	Total     int
	Bytes     int // of all buffers together
}

type usage struct {
	flows map[*flow]struct{}
	count [3]int
}

// ledger holds all flows. If it is full, it drops the flow that has been silent longest: one of the same device if that has
// reached its limit, else one of the device with the most flows.
type ledger struct {
	limits Limits
	begun  time.Time

	mutex   sync.Mutex
	devices map[string]*usage
	count   int
	bytes   int
}

func newLedger(limits Limits) *ledger {
	return &ledger{limits: limits, begun: time.Now(), devices: map[string]*usage{}}
}

func (ledger *ledger) open(protocol Protocol, device string, source, target netip.AddrPort, patience time.Duration) *flow {
	opened := &flow{protocol: protocol, device: device, source: source, target: target, ended: make(chan struct{}), begun: ledger.begun}
	opened.touch()
	opened.patient.Store(int64(patience))
	ledger.mutex.Lock()
	own := ledger.devices[device]
	if own == nil {
		own = &usage{flows: map[*flow]struct{}{}}
		ledger.devices[device] = own
	}
	if protocol == TCP {
		opened.weight = 2 * bufferFor(own.count[TCP], ledger.bytes > ledger.limits.Bytes/2)
	}
	var leaving []*flow
	leave := func(of *usage, matches func(*flow) bool) bool {
		oldest := oldestOf(of, matches)
		if oldest == nil {
			return false
		}
		ledger.forget(oldest)
		leaving = append(leaving, oldest)
		return true
	}
	ofSame := func(other *flow) bool { return other.protocol == protocol }
	if own.count[protocol] >= ledger.limits.PerDevice[protocol] {
		leave(own, ofSame)
	}
	for ledger.count >= ledger.limits.Total || ledger.bytes+opened.weight > ledger.limits.Bytes {
		if !leave(ledger.largest(), func(*flow) bool { return true }) {
			break
		}
	}
	// Its own last flow may just have been dropped.
	ledger.devices[device] = own
	own.flows[opened] = struct{}{}
	own.count[protocol]++
	ledger.count++
	ledger.bytes += opened.weight
	ledger.mutex.Unlock()
	for _, each := range leaving {
		each.end()
	}
	return opened
}

// Buffer size of a new flow in each direction: large for a device's first flows, small for many. So the buffers of one device never
// exceed about 100 MB in total, whichever flows close meanwhile.
func bufferFor(othersOfDevice int, isShort bool) int {
	switch {
	case isShort || othersOfDevice >= 64:
		return 32 << 10
	case othersOfDevice >= 8:
		return 128 << 10
	}
	return mostBuffer
}

const mostBuffer = 2 << 20

// close forgets a finished flow; it may already be forgotten.
func (ledger *ledger) close(closed *flow) {
	ledger.mutex.Lock()
	ledger.forget(closed)
	ledger.mutex.Unlock()
	closed.end()
}

func (ledger *ledger) forget(gone *flow) {
	own := ledger.devices[gone.device]
	if own == nil {
		return
	}
	if _, isThere := own.flows[gone]; !isThere {
		return
	}
	delete(own.flows, gone)
	own.count[gone.protocol]--
	ledger.count--
	ledger.bytes -= gone.weight
	if len(own.flows) == 0 {
		delete(ledger.devices, gone.device)
	}
}

func (ledger *ledger) largest() *usage {
	var largest *usage
	for _, each := range ledger.devices {
		if largest == nil || len(each.flows) > len(largest.flows) {
			largest = each
		}
	}
	return largest
}

func oldestOf(of *usage, matches func(*flow) bool) *flow {
	if of == nil {
		return nil
	}
	var oldest *flow
	var touched int64
	for each := range of.flows {
		if at := each.touched.Load(); matches(each) && (oldest == nil || at < touched) {
			oldest, touched = each, at
		}
	}
	return oldest
}

// endWhere ends all flows that match.
func (ledger *ledger) endWhere(isOver func(*flow) bool) {
	for _, each := range ledger.all() {
		if isOver(each) {
			ledger.close(each)
		}
	}
}

func (ledger *ledger) all() []*flow {
	ledger.mutex.Lock()
	defer ledger.mutex.Unlock()
	all := make([]*flow, 0, ledger.count)
	for _, own := range ledger.devices {
		for each := range own.flows {
			all = append(all, each)
		}
	}
	return all
}

func (ledger *ledger) endSilent() {
	now := int64(time.Since(ledger.begun))
	ledger.endWhere(func(each *flow) bool { return now-each.touched.Load() > each.patient.Load() })
}

func (ledger *ledger) size() int {
	ledger.mutex.Lock()
	defer ledger.mutex.Unlock()
	return ledger.count
}
