package main

import (
	"errors"
	"fmt"
	"slices"
)

// slack is how much more of something the second half of a run may have than the first.
const slack = 1.15

// judge returns an error if something grows: goroutines and descriptors at all, the heap by more for each block, or,
// where no blocks are made, at all. The first tenth of the run is left out: caches fill.
func judge(samples []sample) error {
	samples = samples[len(samples)/10:]
	if len(samples) < 4 {
		return errors.New("too few steps to tell what grows: at least 5 are needed")
	}
	first, second := samples[:len(samples)/2], samples[len(samples)/2:]
	var wrong []error
	for _, figure := range []struct {
		name  string
		value func(sample) float64
		noise float64
	}{
		{"goroutines", func(s sample) float64 { return s.goroutines }, 5},
		{"descriptors", func(s sample) float64 { return s.descriptors }, 5},
	} {
		before, after := median(first, figure.value), median(second, figure.value)
		if after > before*slack+figure.noise {
			wrong = append(wrong, fmt.Errorf("%s grow: %.0f in the first half, %.0f in the second", figure.name, before, after))
		}
	}
	const noise = 8 // MiB
	grown := func(half []sample) (heap, blocks float64) {
		return half[len(half)-1].heap - half[0].heap, half[len(half)-1].blocks - half[0].blocks
	}
	before, blocksBefore := grown(first)
	after, blocksAfter := grown(second)
	allowed := 0.0
	if blocksBefore > 0 {
		allowed = max(before, 0) / blocksBefore * blocksAfter * slack
	}
	fmt.Printf("the heap grew by %.1f MiB for %.0f blocks in the first half, by %.1f MiB for %.0f blocks in the second\n",
		before, blocksBefore, after, blocksAfter)
	if after > allowed+noise {
		wrong = append(wrong, fmt.Errorf("the heap grows: by %.1f MiB in the second half, where %.1f MiB are its blocks", after, allowed))
	}
	return errors.Join(wrong...)
}

func median(samples []sample, value func(sample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = value(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
