package network

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// memoryOfMachine is the memory of the machine, or the container's limit, in bytes; 0 if unknown.
func memoryOfMachine() int {
	least := 0
	note := func(bytes uint64) {
		if bytes > 0 && (least == 0 || bytes < uint64(least)) {
			least = int(min(bytes, 1<<62))
		}
	}
	var told unix.Sysinfo_t
	if unix.Sysinfo(&told) == nil {
		note(uint64(told.Totalram) * uint64(told.Unit))
	}
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(path); err == nil {
			if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
				note(limit)
			}
		}
	}
	return least
}

// MemoryInUse is the resident memory of this process, in bytes.
func MemoryInUse() int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize()
}
