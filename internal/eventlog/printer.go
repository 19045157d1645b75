package eventlog

import "sync"

// maxPrinted is how many texts wait for a printer: later ones are left out.
const maxPrinted = 1_000

// printer hands texts to a function one after the other, and lets nobody wait for it: standard output may be a pipe
// that nobody reads. Its goroutine ends when there is nothing to print. A nil printer prints nothing.
type printer struct {
	print   func(text string)
	mu      sync.Mutex
	waiting []string
	busy    bool
	done    sync.WaitGroup
}

// newPrinter returns a printer for print, nil for nil.
func newPrinter(print func(text string)) *printer {
	if print == nil {
		return nil
	}
	return &printer{print: print}
}

// function returns add, or nil for a nil printer.
func (p *printer) function() func(text string) {
	if p == nil {
		return nil
	}
	return p.add
}

func (p *printer) add(text string) {
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

func (p *printer) run() {
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

func (p *printer) close() {
	if p != nil {
		p.done.Wait()
	}
}
