package eventlog

import "sync"

// maxPrinted is how many texts wait for a printer: later ones are left out.
const maxPrinted = 1_000

// Printer hands texts to a function one after the other, and lets nobody wait for it: standard output may be a pipe
// that nobody reads. Its goroutine ends when there is nothing to print. A nil Printer prints nothing.
type Printer struct {
	print   func(text string)
	mu      sync.Mutex
	waiting []string
	busy    bool
	done    sync.WaitGroup
}

// NewPrinter returns a Printer for print, nil for nil.
func NewPrinter(print func(text string)) *Printer {
	if print == nil {
		return nil
	}
	return &Printer{print: print}
}

// Function returns Add, or nil for a nil Printer.
func (p *Printer) Function() func(text string) {
	if p == nil {
		return nil
	}
	return p.Add
}

// Add lets a text wait to be printed.
func (p *Printer) Add(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) >= maxPrinted {
		return
	}
	p.waiting = append(p.waiting, text)
	if !p.busy {
		p.busy = true
		p.done.Go(p.run)
	}
}

func (p *Printer) run() {
	for {
		p.mu.Lock()
		if len(p.waiting) == 0 {
			p.busy = false
			p.mu.Unlock()
			return
		}
		text := p.waiting[0]
		p.waiting = p.waiting[1:]
		p.mu.Unlock()
		p.print(text)
	}
}

// Close waits until everything is printed.
func (p *Printer) Close() {
	if p != nil {
		p.done.Wait()
	}
}
