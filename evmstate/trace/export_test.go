package trace

import "runtime"

// WaitForScripts returns when no tracer runs any more that nobody waits for.
func WaitForScripts() {
	for abandoned.Load() > 0 {
		runtime.Gosched()
	}
}
