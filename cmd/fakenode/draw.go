package main

import "math/bits"

// standardDraw returns the first 16 bytes that Rust's StdRng draws from a seed: the seed is stretched by PCG32 to the
// key of ChaCha12, and each word of its first block yields one.
func standardDraw(seed uint64) []byte {
	block := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}
	for i := range 8 {
		seed = seed*6364136223846793005 + 11634580027462260723
		block[4+i] = bits.RotateLeft32(uint32((seed>>18^seed)>>27), -int(seed>>59))
	}
	mixed := block
	quarter := func(a, b, c, d int) {
		for _, step := range [][4]int{{a, b, d, 16}, {c, d, b, 12}, {a, b, d, 8}, {c, d, b, 7}} {
			mixed[step[0]] += mixed[step[1]]
			mixed[step[2]] = bits.RotateLeft32(mixed[step[2]]^mixed[step[0]], step[3])
		}
	}
	for range 6 { // of two rounds each
		for i := range 4 {
			quarter(i, 4+i, 8+i, 12+i)
		}
		for i := range 4 {
			quarter(i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
		}
	}
	var drawn []byte
	for i := range block {
		drawn = append(drawn, byte(mixed[i]+block[i]))
	}
	return drawn
}
